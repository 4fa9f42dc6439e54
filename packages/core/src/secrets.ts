import { textToBase64 } from './base64.ts'
import { hostEnvironment, variableNames } from './environment.ts'
import { decoded } from './proxy.ts'
import { pairs } from './readers.ts'
import * as SLOTS from './slots.ts'

/** The secrets that this process holds, in every form in which a text may repeat them. */
interface Known {
  /** Forms by secret. */
  readonly forms: Map<string, readonly string[]>
  /** All forms, the longest first, so that none is found inside of another. */
  sorted: readonly string[] | undefined
}

/** Shorter values are words. */
const SHORTEST = 8
/** A longer form could not be recognized where a text is cut (`foreign-text.ts`). */
const LONGEST = 8_192
/** An application may have a key for each of its customers: the oldest are forgotten. */
const MOST = 200

const IS_SECRET = /(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|_PASS|_PWD|_PAT|_AUTH)S?(?:_|\d|$)/i
/** Variables with an address that may contain a password. */
const IS_ADDRESS = /(?:URL|URI|DSN|PROXY)$/i
const ARE_HEADERS = /HEADERS$/i
const IS_PUBLIC = /PUBLIC|PUBLISHABLE|_(?:FILE|PATH|DIR|SOCK)$/i

// On globalThis, because copies of this module (bundlers, several installed versions) have to share it.
const SLOT = Symbol.for(SLOTS.SECRETS)
const slots = globalThis as unknown as Record<symbol, Known | undefined>

/** Remembers a key, an address with a password, or headers, so that no text repeats it. */
export function keepSecret(value: unknown): void {
  for (const secret of secretsIn(value)) keep(secret)
}

let areRead = false

/** Returns the forms of all known secrets, the longest first. */
export function knownForms(): readonly string[] {
  // Reading all variables takes some time, and errors come in groups: once until the running code returns.
  if (!areRead) {
    areRead = true
    void Promise.resolve().then(() => {
      areRead = false
    })
    keepVariables()
  }
  const state = known()
  state.sorted ??= [...new Set([...state.forms.values()].flat())].sort((a, b) => b.length - a.length)
  return state.sorted
}

/** Remembers what is secret by the name of its variable: keys of vendors, passwords. */
function keepVariables(): void {
  for (const name of variableNames()) {
    if (IS_PUBLIC.test(name)) continue
    const isAddress = IS_ADDRESS.test(name)
    const areHeaders = ARE_HEADERS.test(name)
    if (!isAddress && !areHeaders && !IS_SECRET.test(name)) continue
    const value = hostEnvironment(name) ?? ''
    if (areHeaders) keepSecret(pairs(value))
    else if (!isAddress || value.includes('://')) keepSecret(value)
  }
}

function known(): Known {
  slots[SLOT] ??= { forms: new Map(), sorted: undefined }
  return slots[SLOT]
}

function keep(secret: string): void {
  if (secret.length < SHORTEST || secret.length > LONGEST) return
  const state = known()
  const { forms } = state
  if (forms.has(secret)) return
  forms.set(secret, formsOf(secret))
  if (forms.size > MOST) forms.delete(forms.keys().next().value as string)
  state.sorted = undefined
}

function secretsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(secretsIn)
  if (typeof value !== 'string') return []
  const text = value.trim()
  // The address of a proxy or a database may be told; its password, up to the last @ before the host, not.
  if (text.includes('://')) {
    const password = /:\/\/[^\s/?#:]*:([^\s/?#]*)@/.exec(text)?.[1]
    return password === undefined ? [] : [password, decoded(password)]
  }
  // The path of a file with a key.
  if (/^[./~].*\.[a-z]\w{1,4}$/i.test(text)) return []
  return [text, text.replace(/^(?:Bearer|Basic)\s+/i, '')]
}

function formsOf(secret: string): readonly string[] {
  const inJson = quoted(secret)
  const inUrl = new URLSearchParams([['', secret]]).toString().slice(1)
  const base64 = [0, 1, 2].map((offset) => base64At(offset, secret))
  const all = [
    ...[secret, inJson, quoted(inJson), inUrl, inUrl.replaceAll('+', '%20')],
    ...[textToBase64(secret), ...base64].flatMap((form) => [form, encodeURIComponent(form), urlSafe(form)]),
  ]
  // Some servers escape each slash in JSON, and write percent-encodings in small letters.
  const written = all.flatMap((form) => [
    form,
    form.replaceAll('/', '\\/'),
    form.replace(/%../g, (code) => code.toLowerCase()),
  ])
  return [...new Set(written)].filter(({ length }) => length <= LONGEST)
}

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)
const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

/** Returns what of the base64 is the same whatever stands before and behind: a user and a colon, for example. */
function base64At(offset: number, secret: string): string {
  const encoded = textToBase64('-'.repeat(offset) + secret)
  const bytes = offset + new TextEncoder().encode(secret).length
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes * 8) / 6))
}

import { textToBase64 } from './base64.ts'
import { hostEnvironment, variableNames } from './environment.ts'
import { keptSecrets, SHORTEST } from './keep-secret.ts'
import { decoded } from './proxy.ts'
import { pairs } from './readers.ts'
import { withoutEnd } from './without-end.ts'

/** Longer ones are texts, and no keys. */
export const LONGEST_FORM = 8_192

const IS_SECRET = /(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|_PASS|_PWD|_PAT|_AUTH)S?(?:_|\d|$)/i
/** Variables with an address: what is none in them is no secret. */
const IS_ADDRESS = /(?:URL|URI|DSN|PROXY)$/i
const ARE_HEADERS = /HEADERS$/i
const IS_SECRET_NAME = /auth|key|token|secret|password|cookie/i
const IS_PUBLIC = /(?:^|_)(?:PUBLIC|PUBLISHABLE)_(?:API_)?KEY$|(?:^|_)PUBLIC_(?!.*(?:SECRET|PASSWORD|TOKEN))/i
const IS_ABOUT = /_(?:FILE|PATH|DIR|SOCK|NAME|PREFIX|TYPE|MODE|PROVIDER|ISSUER|ALGORITHM)$/i

let values: ReadonlySet<string> = new Set()
let forms: readonly string[] = []

/** Returns the secrets that this process holds in every form in which a text may repeat them, the longest first. */
export function knownForms(): readonly string[] {
  const now = new Set([...keptSecrets(), ...secretVariables()])
  if (now.size !== values.size || [...now].some((value) => !values.has(value))) {
    values = now
    forms = formsOf([...now])
  }
  return forms
}

/** Returns secrets in every form in which a text may repeat them, the longest first, so that none is found inside of another. */
export function formsOf(secrets: readonly string[]): readonly string[] {
  const all = new Set(secrets.flatMap(secretsIn).filter(({ length }) => length >= SHORTEST))
  return [...new Set([...all].flatMap(formsOfOne))].sort((a, b) => b.length - a.length)
}

let variables: readonly string[] | undefined

/** Returns what is secret by the name of its variable: keys of vendors, passwords. */
function secretVariables(): readonly string[] {
  if (variables) return variables
  variables = variableNames().flatMap(secretsOfVariable)
  // Reading them takes some time, and errors come in groups: once until the running code returns.
  void Promise.resolve().then(() => {
    variables = undefined
  })
  return variables
}

function secretsOfVariable(name: string): readonly string[] {
  if (IS_PUBLIC.test(name) || IS_ABOUT.test(name)) return []
  const value = hostEnvironment(name) ?? ''
  if (ARE_HEADERS.test(name)) return Object.entries(pairs(value) ?? {}).flatMap(secretOfHeader)
  const isSecret = IS_SECRET.test(name) && !IS_ADDRESS.test(name)
  return [...secretsOfJson(value, isSecret), ...secretsOfText(value, isSecret)]
}

// An address may contain a password, whatever its variable is called.
const secretsOfText = (value: string, isSecret: boolean): readonly string[] =>
  isSecret || value.includes('://') ? [value] : []

/** Returns what is secret by its name in a variable with JSON, such as the key of a service account. */
function secretsOfJson(value: string, isSecret: boolean): readonly string[] {
  if (!/^\s*[[{]/.test(value)) return []
  try {
    return secretsUnder(JSON.parse(value), isSecret)
  } catch {
    return []
  }
}

function secretsUnder(value: unknown, isSecret: boolean): readonly string[] {
  if (typeof value === 'string') return secretsOfText(value, isSecret)
  if (Array.isArray(value)) return value.flatMap((each) => secretsUnder(each, isSecret))
  return Object.entries(value ?? {}).flatMap(([name, each]) => secretsUnder(each, IS_SECRET_NAME.test(name)))
}

// A value without a digit is a word, such as the name of a tenant.
const secretOfHeader = ([name, value]: readonly [string, string]): readonly string[] =>
  IS_SECRET_NAME.test(name) || /\d|^(?:Bearer|Basic)\s/i.test(value) ? [value] : []

function secretsIn(value: string): readonly string[] {
  const text = value.trim()
  // The address of a proxy or a database may be told; what it has to log in with, not.
  if (text.includes('://')) return [...text.matchAll(LOGIN)].flatMap(secretsOfLogin)
  // The path of a file with a key.
  if (/^[./~].*\.[a-z]\w{1,4}$/i.test(text)) return []
  // A list of keys.
  const parts = text.split(/[\s,;]+/).filter((part) => /\d/.test(part))
  return [text, text.replace(/^(?:Bearer|Basic)\s+/i, ''), ...parts]
}

/** User and password of each address, to the last @ before the host; a token may be the user and have no password. */
const LOGIN = /:\/\/([^\s/?#:@]*)(?::([^\s/?#]*))?@/g

function secretsOfLogin([, user = '', password]: RegExpExecArray): readonly string[] {
  const secret = password ?? (/^(?=.*\d)\w{16,}$/.test(user) ? user : '')
  return secret === user && password !== undefined ? [] : [secret, decoded(secret)]
}

function formsOfOne(secret: string): readonly string[] {
  const inJson = quoted(secret)
  const inUrl = new URLSearchParams([['', secret]]).toString().slice(1)
  // What `encodeURIComponent` leaves, which would throw at half of a surrogate pair, a query encodes.
  const inPath = inUrl.replaceAll('+', '%20')
  const base64 = [0, 1, 2].map((offset) => base64At(offset, secret))
  const all = [
    ...[secret, inJson, quoted(inJson), inUrl, inPath, inPath.replace(/%(?:21|27|28|29|7E)/g, decodeURIComponent)],
    ...[textToBase64(secret), ...base64].flatMap((form) => [form, encodeURIComponent(form), urlSafe(form)]),
  ]
  // Some servers escape each slash in JSON, and write percent-encodings in small letters.
  const written = all.flatMap((form) => [form, form.replaceAll('/', '\\/'), form.replace(/%../g, lowered)])
  return written.filter(({ length }) => length <= LONGEST_FORM)
}

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)
const urlSafe = (base64: string): string => withoutEnd(base64.replaceAll('+', '-').replaceAll('/', '_'), '=')
const lowered = (text: string): string => text.toLowerCase()

/** Returns what of the base64 is the same whatever stands before and behind: a user and a colon, for example. */
function base64At(offset: number, secret: string): string {
  const encoded = textToBase64('-'.repeat(offset) + secret)
  const bytes = offset + new TextEncoder().encode(secret).length
  return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes * 8) / 6))
}

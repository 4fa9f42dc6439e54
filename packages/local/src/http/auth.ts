import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { log } from '@svc/core/log'
import { own } from '@svc/core/own'
import { DEFAULT_KEYS } from '../address.ts'
import { Refusal } from './answer.ts'

/** The one project's API keys. */
export interface Keys {
  readonly publicKey: string
  readonly secretKey: string
}

/** Whether everybody knows a key, whichever half it is used as. */
export const isKnown = (key: string): boolean => Object.values<string>(DEFAULT_KEYS).includes(key)

/**
 * The keys of a service. Where other machines can reach it, known ones are replaced by random ones, wherever they come
 * from: shells have them in their environment.
 */
export function keysFor({ publicKey, secretKey }: Partial<Keys>, nearby: boolean): Keys {
  const wanted = { publicKey: publicKey || DEFAULT_KEYS.publicKey, secretKey: secretKey || DEFAULT_KEYS.secretKey }
  if (nearby || !Object.values(wanted).some(isKnown)) return wanted
  if ([publicKey, secretKey].some((key) => key !== undefined && isKnown(key))) {
    log.warn(
      'Everybody knows the default keys of svc-local, and other machines can reach it: random keys take their place. Use those that it prints, or set keys of your own.',
    )
  }
  const random = randomKeys()
  return {
    publicKey: isKnown(wanted.publicKey) ? random.publicKey : wanted.publicKey,
    secretKey: isKnown(wanted.secretKey) ? random.secretKey : wanted.secretKey,
  }
}

/** Looks up further keys by the public one. */
export type FindKeys = (publicKey: string) => { readonly secretHash: string; readonly accepted: boolean } | undefined

export function randomKeys(): Keys {
  const random = () => randomBytes(18).toString('base64url')
  return { publicKey: `pk-svc-${random()}`, secretKey: `sk-svc-${random()}` }
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const HINT = "Confirm that you've configured the correct host."

/**
 * Checks a project route's `Authorization` header (contract 5.1).
 *
 * @param find keys beside `keys`.
 * @param publicKeyAlone whether `Bearer <publicKey>` is enough, as a web page sends it with a score.
 * @throws Refusal 401 with the contract's message, 403 for a public key alone.
 */
export function authorise(
  header: string | undefined,
  keys: Keys,
  find: FindKeys = () => undefined,
  publicKeyAlone = false,
): void {
  // Without a challenge: a browser that asks for the keys would add them to what other pages send.
  if (header === undefined) throw unauthorised('No authorization header')
  const [scheme = '', credentials = ''] = header.trim().split(/\s+/, 2)
  const check = own(SCHEMES, scheme.toLowerCase())
  if (!check) throw unauthorised(`Invalid authorization header. ${HINT}`)
  check(credentials, { keys, find }, publicKeyAlone)
}

interface Known {
  readonly keys: Keys
  readonly find: FindKeys
}

const SCHEMES: Readonly<Record<string, (credentials: string, known: Known, publicKeyAlone: boolean) => void>> = {
  basic: (credentials, { keys: { publicKey, secretKey }, find }) => {
    const given = Buffer.from(credentials, 'base64').toString('utf8')
    const colon = given.indexOf(':')
    if (colon < 0) throw unauthorised(`Invalid authorization header. ${HINT}`)
    if (same(given, `${publicKey}:${secretKey}`)) return
    const more = find(given.slice(0, colon))
    if (!more || !same(hashOf(given.slice(colon + 1)), more.secretHash)) {
      throw unauthorised(`Invalid credentials. ${HINT}`)
    }
    accept(more)
  },
  bearer: (credentials, { keys: { publicKey }, find }, publicKeyAlone) => {
    const more = same(credentials, publicKey) ? { accepted: true } : find(credentials)
    if (!more) throw unauthorised(`Invalid credentials. ${HINT}`)
    accept(more)
    if (!publicKeyAlone) throw new Refusal(403, 'Access denied: a public key alone cannot use this route', 'Forbidden')
  },
}

const unauthorised = (message: string) => new Refusal(401, message, 'Unauthorized')

function accept({ accepted }: { readonly accepted: boolean }): void {
  if (!accepted) throw new Refusal(403, 'Access denied: svc-local keeps the data of one project only', 'Forbidden')
}

/** Whether two texts are the same; how long it takes tells nothing of them. */
export function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

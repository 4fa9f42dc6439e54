import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { own } from '@svc/core/own'
import { Refusal } from './answer.ts'

/** The one project's API keys. */
export interface Keys {
  readonly publicKey: string
  readonly secretKey: string
}

/** Looks up further keys by the public one. */
export type FindKeys = (publicKey: string) => { readonly secretHash: string; readonly accepted: boolean } | undefined

/** Random keys. */
export function randomKeys(): Keys {
  const random = () => randomBytes(18).toString('base64url')
  return { publicKey: `pk-svc-${random()}`, secretKey: `sk-svc-${random()}` }
}

/** SHA-256 of a text in hex. */
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
  if (header === undefined) throw new Refusal(401, 'No authorization header', 'Unauthorized', CHALLENGE)
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

// Makes a browser ask for the keys where pages are not open.
const CHALLENGE = { 'www-authenticate': 'Basic realm="svc-local", charset="UTF-8"' }

const unauthorised = (message: string) => new Refusal(401, message, 'Unauthorized', CHALLENGE)

function accept({ accepted }: { readonly accepted: boolean }): void {
  if (!accepted) throw new Refusal(403, 'Access denied: svc-local keeps the data of one project only', 'Forbidden')
}

function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

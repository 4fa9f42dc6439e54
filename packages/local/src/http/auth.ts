import { createHash, timingSafeEqual } from 'node:crypto'
import { own } from '../own.ts'
import { Refusal } from './answer.ts'

/** The one project's API keys. */
export interface Keys {
  readonly publicKey: string
  readonly secretKey: string
}

const HINT = "Confirm that you've configured the correct host."

/**
 * Checks a project route's `Authorization` header (contract 5.1).
 *
 * @param publicKeyAlone whether `Bearer <publicKey>` is enough, as a web page sends it with a score.
 * @throws Refusal 401 with the contract's message, 403 for a public key alone.
 */
export function authorise(header: string | undefined, keys: Keys, publicKeyAlone = false): void {
  if (header === undefined) throw new Refusal(401, 'No authorization header', 'Unauthorized', CHALLENGE)
  const [scheme = '', credentials = ''] = header.trim().split(/\s+/, 2)
  const check = own(SCHEMES, scheme.toLowerCase())
  if (!check) throw unauthorised(`Invalid authorization header. ${HINT}`)
  check(credentials, keys, publicKeyAlone)
}

const SCHEMES: Readonly<Record<string, (credentials: string, keys: Keys, publicKeyAlone: boolean) => void>> = {
  basic: (credentials, { publicKey, secretKey }) => {
    const said = Buffer.from(credentials, 'base64').toString('utf8')
    if (!said.includes(':')) throw unauthorised(`Invalid authorization header. ${HINT}`)
    if (!same(said, `${publicKey}:${secretKey}`)) throw unauthorised(`Invalid credentials. ${HINT}`)
  },
  bearer: (credentials, { publicKey }, publicKeyAlone) => {
    if (!same(credentials, publicKey)) throw unauthorised(`Invalid credentials. ${HINT}`)
    if (!publicKeyAlone) throw new Refusal(403, 'Access denied: a public key alone cannot use this route', 'Forbidden')
  },
}

// Makes a browser ask for the keys where pages are not open.
const CHALLENGE = { 'www-authenticate': 'Basic realm="svc-local", charset="UTF-8"' }

const unauthorised = (message: string) => new Refusal(401, message, 'Unauthorized', CHALLENGE)

function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

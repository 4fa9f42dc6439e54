import { toBase64 } from '@svc/core/base64'
import type { Bytes } from '@svc/core/bytes'
import * as SLOTS from '@svc/core/slots'
import { withoutEnd } from '@svc/core/without-end'
import { service } from '../host.ts'
import type { Identity } from './identity.ts'

/** The values that a proxy sends along with a request. */
export interface Forwarded {
  readonly identity: Identity
  /** The span of the proxy, if it made one: the request goes on under it. */
  readonly parent?: { readonly traceId: string; readonly spanId: string; readonly traceFlags: number } | undefined
}

/** Milliseconds in which a sealed identity is believed: one request, and clocks of several machines. */
const BELIEVED_FOR = 300_000

type SealKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The key of the seals: made once, and anew when the secret key changes. */
interface Keeper {
  readonly secret: string
  readonly key: Promise<SealKey>
}

const SLOT = Symbol.for(SLOTS.NEXT_SEAL)
const slots = globalThis as unknown as Record<symbol, Keeper | undefined>

/**
 * Returns what a proxy found out as the value of a header that only this application can make: it is signed with the
 * secret key, which proxy and route share wherever they run. Client headers must not decide whose trace it is.
 */
export async function seal(forwarded: Forwarded, now: number = Date.now()): Promise<string> {
  const text = toBase64Url(new TextEncoder().encode(JSON.stringify({ ...forwarded, at: now })))
  const signature = await crypto.subtle.sign('HMAC', await key(), new TextEncoder().encode(text))
  return `${text}.${toBase64Url(new Uint8Array(signature))}`
}

/** Reads a header of {@link seal}; undefined for any other text. Never rejects. */
export async function unseal(
  header: string | null | undefined,
  now: number = Date.now(),
): Promise<Forwarded | undefined> {
  const [text, signature] = header?.split('.') ?? []
  if (!text || !signature) return undefined
  try {
    const bytes = new TextEncoder().encode(text)
    if (!(await crypto.subtle.verify('HMAC', await key(), fromBase64Url(signature), bytes))) return undefined
    return isInTime(JSON.parse(new TextDecoder().decode(fromBase64Url(text))), now)
  } catch {
    return undefined
  }
}

/** Returns the sealed values, if that was not too long ago. */
export function isInTime(
  { at, ...forwarded }: Forwarded & { readonly at: number },
  now: number,
): Forwarded | undefined {
  return Math.abs(now - at) < BELIEVED_FOR ? forwarded : undefined
}

/** Returns the key that seals are made with. */
export function sealSecret(): string {
  return `svc-next-identity:${keeper().secret}`
}

function key(): Promise<SealKey> {
  return keeper().key
}

function keeper(): Keeper {
  const { secretKey } = service()
  const kept = slots[SLOT]
  if (kept && (secretKey === undefined || kept.secret === secretKey)) return kept
  // Without a secret key nothing is sent, and a proxy in the same process is still believed.
  const secret = secretKey ?? crypto.randomUUID()
  const made = crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(`svc-next-identity:${secret}`),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  )
  slots[SLOT] = { secret, key: made }
  return slots[SLOT]
}

function toBase64Url(bytes: Uint8Array): string {
  return withoutEnd(toBase64(bytes), '=').replaceAll('+', '-').replaceAll('/', '_')
}

function fromBase64Url(text: string): Bytes {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

import * as BAGGAGE from '@svc/core/attributes/baggage'
import { APP_HEADER } from '@svc/core/attributes/constants'
import { log, messageOf } from '@svc/core/log'
import { seal } from '#implementation'
import type { Forwarded } from '../identity/seal.ts'

// How Next passes a changed request from a proxy to the route: in these headers of the response. Not documented.
const NEXT = 'x-middleware-next'
const REWRITE = 'x-middleware-rewrite'
const LIST = 'x-middleware-override-headers'
const PREFIX = 'x-middleware-request-'

/**
 * Returns the answer of a proxy; the request that goes on carries what it found out, without the client's claims.
 * Never rejects.
 *
 * @param next makes the answer that lets a request through with these headers
 */
export async function forward(
  request: Request,
  answer: Response,
  forwarded: Forwarded,
  next: (headers: Headers) => Response,
): Promise<Response> {
  try {
    return await marked(request, answer, forwarded, next)
  } catch (error) {
    // An answer whose headers cannot be changed. Routes know no identity then, and still believe no claim.
    log.debug(`a proxy cannot send an identity along: ${messageOf(error)}`)
    return answer
  }
}

async function marked(
  request: Request,
  answer: Response,
  forwarded: Forwarded,
  next: (headers: Headers) => Response,
): Promise<Response> {
  const { headers } = answer
  const goesOn = headers.has(NEXT) || headers.has(REWRITE)
  if (!goesOn) return answer
  const own =
    staysHere(request, headers.get(REWRITE)) &&
    (Object.keys(forwarded.identity).length > 0 || forwarded.parent !== undefined)
  const sent = sentOn(request, headers)
  const baggage = sent.get('baggage')
  const kept = withoutOurs(baggage)
  if (!own && kept === baggage && !sent.has(APP_HEADER.IDENTITY)) return answer
  put(sent, APP_HEADER.IDENTITY, own ? await seal(forwarded) : null)
  put(sent, 'baggage', kept)
  for (const name of [...headers.keys()].filter((name) => name.startsWith(PREFIX))) headers.delete(name)
  for (const [name, value] of next(sent).headers) {
    if (name !== NEXT) headers.set(name, value)
  }
  return answer
}

/** Returns the headers with which the request goes on: those that the handler gave it, else those that it has. */
function sentOn(request: Request, answer: Headers): Headers {
  const names = answer.get(LIST)?.split(',').filter(Boolean)
  return new Headers(names ? names.map((name) => [name, answer.get(PREFIX + name) ?? '']) : request.headers)
}

function put(headers: Headers, name: string, value: string | null): void {
  if (value === null) headers.delete(name)
  else headers.set(name, value)
}

/** False if a rewrite leads to another origin, which must not get our headers. */
function staysHere(request: Request, rewrite: string | null): boolean {
  return rewrite === null || new URL(rewrite, request.url).origin === new URL(request.url).origin
}

function withoutOurs(baggage: string | null): string | null {
  if (baggage === null) return null
  const entries = baggage.split(',')
  const kept = entries.filter((entry) => !keyOf(entry).startsWith(BAGGAGE.PREFIX))
  if (kept.length === entries.length) return baggage
  return kept.length > 0 ? kept.join(',') : null
}

/**
 * Returns the key of an entry of baggage as propagators read it. They ignore one whose key is not encoded properly, and
 * decode no metadata.
 */
function keyOf(entry: string): string {
  try {
    return decodeURIComponent(entry.split(/[=;]/, 1)[0] ?? '').trim()
  } catch {
    return ''
  }
}

import { APP_HEADER, BAGGAGE } from '@svc/core/attributes'
import { log, messageOf } from '@svc/core/log'
import { type Forwarded, seal } from '../identity/seal.ts'

// How Next writes down which headers the request has after the proxy: all of them, by name.
const LIST = 'x-middleware-override-headers'
const PREFIX = 'x-middleware-request-'
const REWRITE = 'x-middleware-rewrite'

/**
 * The answer of a proxy, with what it found out put on the request that goes on, and claims of the client taken off it.
 * Never rejects.
 */
export async function forward(request: Request, answer: Response, forwarded: Forwarded): Promise<Response> {
  try {
    return await marked(request, answer, forwarded)
  } catch (error) {
    // An answer whose headers cannot be changed. Routes know no identity then, and still believe no claim.
    log.debug(`a proxy cannot send an identity along: ${messageOf(error)}`)
    return answer
  }
}

async function marked(request: Request, answer: Response, forwarded: Forwarded): Promise<Response> {
  const { headers } = answer
  const goesOn = headers.has('x-middleware-next') || headers.has(REWRITE)
  if (!goesOn) return answer
  const own =
    staysHere(request, headers.get(REWRITE)) &&
    (Object.keys(forwarded.identity).length > 0 || forwarded.parent !== undefined)
  const baggage = headers.get(`${PREFIX}baggage`) ?? request.headers.get('baggage')
  const kept = withoutOurs(baggage)
  if (!own && kept === baggage && !request.headers.has(APP_HEADER.IDENTITY)) return answer

  const names = new Set(headers.get(LIST)?.split(',').filter(Boolean) ?? listed(request, headers))
  const put = (name: string, value: string | null) => {
    if (value === null) {
      names.delete(name)
      headers.delete(PREFIX + name)
    } else {
      names.add(name)
      headers.set(PREFIX + name, value)
    }
  }
  put(APP_HEADER.IDENTITY, own ? await seal(forwarded) : null)
  put('baggage', names.has('baggage') ? kept : null)
  headers.set(LIST, [...names].join(','))
  return answer
}

/** Puts every header of the request on the answer, because what is not listed is taken off the request. */
function listed(request: Request, headers: Headers): string[] {
  const names: string[] = []
  for (const [name, value] of request.headers) {
    headers.set(PREFIX + name, value)
    names.push(name)
  }
  return names
}

/** A rewrite may lead to somebody else. */
function staysHere(request: Request, rewrite: string | null): boolean {
  return rewrite === null || new URL(rewrite, request.url).origin === new URL(request.url).origin
}

function withoutOurs(baggage: string | null): string | null {
  if (!baggage?.includes(BAGGAGE.PREFIX)) return baggage
  const kept = baggage.split(',').filter((entry) => !entry.trim().startsWith(BAGGAGE.PREFIX))
  return kept.length > 0 ? kept.join(',') : null
}

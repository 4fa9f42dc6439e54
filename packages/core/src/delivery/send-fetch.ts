import {
  BODY_LIMIT,
  type HttpRequest,
  type HttpResponse,
  type HttpSender,
  keptHeaders,
  NoResponseError,
} from '../http-exchange.ts'
import { ownFields } from '../own.ts'
import { beginningOf, partsOf } from '../read-body.ts'

/** Returns a sender over `fetch`, for runtimes without `node:http`. */
export function fetchSender(fetcher: typeof fetch = fetch): HttpSender {
  return { isCutOff: true, send: (request) => exchange(fetcher, request), close() {} }
}

async function exchange(fetcher: typeof fetch, request: HttpRequest): Promise<HttpResponse> {
  const { method, url, headers, timeoutMs } = request
  // `AbortSignal.timeout` throws for fractions and for more than a timer allows.
  const signal = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), 2 ** 31 - 1))
  try {
    const response = await fetcher(
      url,
      ownFields<RequestInit>({ method, headers, body: request.body, redirect: 'manual', signal }),
    )
    // Of a response that breaks off, the status is known.
    const { body, complete } = await beginningOf(partsOf(response), BODY_LIMIT)
    return {
      // Browsers hide the status of a redirect that is not followed.
      status: response.type === 'opaqueredirect' ? 302 : response.status,
      headers: keptHeaders((name) => response.headers.get(name)),
      body,
      complete,
    }
  } catch (error) {
    throw signal.aborted ? new NoResponseError(timeoutMs) : error
  }
}

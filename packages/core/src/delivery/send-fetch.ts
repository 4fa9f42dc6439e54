import {
  BODY_LIMIT,
  concatBytes,
  type HttpRequest,
  type HttpResponse,
  type HttpSender,
  KEPT_HEADERS,
  NoResponseError,
} from '../http-exchange.ts'

/** Returns a sender over `fetch`, for runtimes without `node:http`. */
export function fetchSender(fetcher: typeof fetch = fetch): HttpSender {
  return { isCutOff: true, send: (request) => exchange(fetcher, request), close() {} }
}

async function exchange(fetcher: typeof fetch, request: HttpRequest): Promise<HttpResponse> {
  const { method, url, headers, body, timeoutMs } = request
  // `AbortSignal.timeout` throws for fractions and for more than a timer allows.
  const signal = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), 2 ** 31 - 1))
  try {
    const response = await fetcher(url, { method, headers, body, redirect: 'manual', signal })
    return {
      // Browsers hide the status of a redirect that is not followed.
      status: response.type === 'opaqueredirect' ? 302 : response.status,
      headers: Object.fromEntries(
        KEPT_HEADERS.flatMap((name) => {
          const value = response.headers.get(name)
          return value === null ? [] : [[name, value]]
        }),
      ),
      ...(await readBeginning(response)),
    }
  } catch (error) {
    throw signal.aborted ? new NoResponseError(timeoutMs) : error
  }
}

async function readBeginning({ body }: Response): Promise<Pick<HttpResponse, 'body' | 'complete'>> {
  const parts: Uint8Array[] = []
  let length = 0
  let complete = !body
  const reader = body?.getReader()
  try {
    while (reader && !complete && length < BODY_LIMIT) {
      const { done, value = new Uint8Array() } = await reader.read()
      complete = done
      parts.push(value.subarray(0, BODY_LIMIT - length))
      length += value.length
    }
    if (!complete) await reader?.cancel()
  } catch {
    // The response broke off: its status is known and `complete` is false.
  }
  return { body: concatBytes(parts), complete }
}

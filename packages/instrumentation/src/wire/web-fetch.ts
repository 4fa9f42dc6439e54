import { attempt } from '@svc/core/attempt'
import { overrideMethod } from '@svc/core/override-method'
import { within } from '@svc/core/timers'
import type { WireFollower } from './follower.ts'
import { isModelPath } from './model-path.ts'
import type { RecordRequest, WebRequest } from './record-request.ts'

type Fetch = typeof fetch

/**
 * Has requests recorded that may ask a model something, of `fetch` in Bun and Deno, which publish none. Of their responses
 * the chunks are seen as the application reads them.
 */
export function followWebFetch(record: RecordRequest): void {
  const original = globalThis.fetch
  const followed = function (this: unknown, ...args: Parameters<Fetch>) {
    const exchange = attempt('look at a request', begin, record, args)
    const answer: ReturnType<Fetch> = Reflect.apply(original, this, args)
    if (!exchange) return answer
    return answer.then(
      async (response) => {
        // One that is streamed may go on after its answer, which does not wait for it.
        if (exchange.sent) await within(exchange.sent, 0)
        return attempt('follow a response', followResponse, response, exchange.followed) ?? response
      },
      (error) => {
        attempt('follow a request', () => exchange.followed.failed(error))
        throw error
      },
    )
  }
  attempt('follow fetch', () => {
    // Its name, and methods of its own.
    Object.defineProperties(followed, Object.getOwnPropertyDescriptors(original))
    overrideMethod(globalThis, 'fetch', followed as never)
  })
}

interface FollowedRequest {
  readonly followed: WireFollower
  /** Resolves when the body of the request is known, if it takes time. */
  readonly sent: Promise<void> | undefined
}

function begin(record: RecordRequest, [input, init]: Parameters<Fetch>): FollowedRequest | undefined {
  const request = input instanceof Request ? input : undefined
  const method = init?.method ?? request?.method
  const text = request?.url ?? String(input)
  if (method?.toUpperCase() !== 'POST' || !URL.canParse(text)) return undefined
  const { origin, pathname, search } = new URL(text)
  if (!isModelPath(pathname)) return undefined
  const headers = new Headers(init?.headers ?? request?.headers)
  let followed: WireFollower | undefined
  const web: WebRequest = {
    ...{ origin, path: pathname + search, header: (name) => headers.get(name) ?? undefined },
    follow: (exchange) => {
      followed = exchange
    },
  }
  // Not by its result: what is kept for a recorded call is followed, and not recorded itself.
  record('web', web as never)
  if (!followed) return undefined
  const { body = null } = init ?? {}
  if (request && body === null && headers.get('content-type')?.includes('json')) {
    // What is sent is the original.
    const sent = request.clone().text()
    return { followed, sent: sent.then((sent) => followed?.send(sent)).catch(() => {}) }
  }
  followed.send(body instanceof ArrayBuffer ? new Uint8Array(body) : body)
  return { followed, sent: undefined }
}

/** Returns the same response with a body whose chunks are seen when they are read, and not before. */
function followResponse(response: Response, exchange: WireFollower): Response {
  const { headers, body, url, redirected, type } = response
  // The body is decompressed; Bun leaves the header that says how it came.
  exchange.responded(response.status, (name) =>
    name === 'content-encoding' ? undefined : (headers.get(name) ?? undefined),
  )
  if (!body) {
    exchange.done()
    return response
  }
  const seen = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error) => {
          attempt('follow a response', () => exchange.failed(error))
          throw error
        })
        attempt('follow a response', () => (done ? exchange.done() : exchange.receive(value)))
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel(reason) {
        attempt('follow a response', () => exchange.failed(undefined))
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  const own = { url: { value: url }, redirected: { value: redirected }, type: { value: type } }
  const same = Object.defineProperties(new Response(seen, response), own)
  // Last: with a status that it cannot have, there is no such response, and the application reads its own.
  const reader = body.getReader()
  return same
}

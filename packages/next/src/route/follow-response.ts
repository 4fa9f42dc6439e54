import { followStream } from '#followers'
import { bodyTextOf } from './body-text.ts'
import type { ResponseEnd } from './response-end.ts'

/**
 * Follows the body of a response to its end. On Node the handler's own response object is sent on, its stream being
 * watched while it is read. Edge runtimes take the stream of a response without calling any of its methods: there it is
 * an equal response around a watched stream.
 */
export function followResponse(response: Response, end: ResponseEnd, captureOutput: boolean): Response {
  end.follow(captureOutput ? bodyTextOf(response) : undefined, response.status)
  const { body } = response
  if (!body || response.bodyUsed) {
    end.done()
    return response
  }
  const followed = followStream(body, end)
  if (!followed) end.done()
  return !followed || followed === body ? response : new Response(followed as ReadableStream, response)
}

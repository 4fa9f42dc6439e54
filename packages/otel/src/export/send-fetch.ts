import { ANSWER_LIMIT, type Answer, NoAnswerError, type Request, type Sender } from './answer.ts'

/** Sends with the web's `fetch`, for hosts without `node:http`. */
export function fetchSender(fetcher: typeof fetch = fetch): Sender {
  return { send: (request) => exchange(fetcher, request), close() {} }
}

async function exchange(fetcher: typeof fetch, { method, url, headers, body, timeoutMs }: Request): Promise<Answer> {
  // Whole milliseconds, and no more than a timer can be: anything else throws.
  const signal = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), 2 ** 31 - 1))
  try {
    const response = await fetcher(url, { method, headers, body, redirect: 'manual', signal })
    return {
      // Browsers hide the status of a redirect that is not followed.
      status: response.type === 'opaqueredirect' ? 302 : response.status,
      retryAfter: response.headers.get('retry-after') ?? undefined,
      location: response.headers.get('location') ?? undefined,
      text: await beginningOf(response),
    }
  } catch (error) {
    throw signal.aborted ? new NoAnswerError(timeoutMs) : error
  }
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (text.length < ANSWER_LIMIT) {
      const { done, value } = await reader.read()
      if (done) return text
      text += decoder.decode(value, { stream: true })
    }
    await reader.cancel()
  } catch {
    // The status decides; a body that breaks off changes nothing about it.
  }
  return text.slice(0, ANSWER_LIMIT)
}

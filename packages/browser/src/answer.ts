import { SvcBrowserError } from './error.ts'

/**
 * Reads the service's response to one score.
 *
 * @returns the id in the response, if any.
 * @throws {SvcBrowserError} if the status is not 2xx, the body cannot be read, or a 207 rejects the score.
 */
export async function readAnswer(response: Response): Promise<string | undefined> {
  const { status } = response
  const body = await bodyOf(response)
  if (!response.ok) {
    throw new SvcBrowserError(`The service refused the score with status ${status}${reason(body)}.`, {
      status,
      response: body,
    })
  }
  if (typeof body === 'string') {
    throw new SvcBrowserError(`The service answered status ${status} with something that is not JSON.`, {
      status,
      response: body,
    })
  }
  const { id, rejected, errors } = (body ?? {}) as { id?: unknown; rejected?: unknown; errors?: unknown }
  if (status === 207 && typeof rejected === 'number' && rejected > 0) {
    const all: unknown[] = Array.isArray(errors) ? errors : []
    throw new SvcBrowserError(`The service rejected the score${reason(all[0])}.`, {
      status,
      response: body,
      errors: all,
    })
  }
  return typeof id === 'string' ? id : undefined
}

/** Returns the body, decoded if it is JSON, else as text; undefined if it is empty. */
async function bodyOf(response: Response): Promise<unknown> {
  const { status } = response
  let text: string
  try {
    text = await response.text()
  } catch (originalError) {
    throw new SvcBrowserError(`The connection closed during the response (status ${status}).`, {
      status,
      originalError,
    })
  }
  // Gateways shorten responses.
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function reason(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : body
  return typeof message === 'string' && message !== '' ? `: ${message.slice(0, 500).replace(/\.$/, '')}` : ''
}

import type { HttpResponse } from '@svc/core/http-exchange'

/** A response as a sender gives it. */
export function responseOf(
  status: number,
  body: string | Uint8Array = '',
  headers: HttpResponse['headers'] = {},
  complete = true,
): HttpResponse {
  return { status, headers, body: typeof body === 'string' ? new TextEncoder().encode(body) : body, complete }
}

/** What the real service answers when it takes spans. */
export const taken = responseOf(200, '{}', { 'content-type': 'application/json' })

/** An error of the network with this code. */
export const networkError = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code })

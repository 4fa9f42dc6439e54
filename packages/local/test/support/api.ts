import type { LocalService } from '../../src/index.ts'
import { basic } from './sdk.ts'

/** Calls the API of a service with its keys. A body is sent as JSON, text as it is. */
export async function call(
  local: Pick<LocalService, 'url' | 'publicKey' | 'secretKey'>,
  request: `${string} ${string}`,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const [method = '', path = ''] = request.split(' ')
  const authorization = basic(local.publicKey, local.secretKey)
  const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await fetch(`${local.url}/api/public${path}`, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...content,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** The body of a refused request with one issue. */
export const refused = (path: string, message: unknown) => ({
  status: 400,
  body: { message: 'Invalid request data', error: [{ path: path === '' ? [] : [path], message }] },
})

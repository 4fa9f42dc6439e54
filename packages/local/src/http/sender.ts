import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from './answer.ts'
import { API } from './api-route.ts'
import { corsHeaders } from './cors.ts'
import type { Access, Call } from './router.ts'

type Sent = Pick<Call, 'method' | 'path' | 'headers'>

/**
 * Refuses what a page of another origin would write, whatever keys it has or its browser adds, and bodies of the types
 * that a form can send. Scores are what web pages do send: with the public key alone, and that header asks first.
 *
 * @throws Refusal 403, 415
 */
export function checkSender({ method, path, headers }: Sent, access: Access, knownKeys: boolean): void {
  if (READING.has(method)) return
  if (isForeign(headers) && !(access === 'scores' && mayScore(headers, knownKeys))) {
    throw new Refusal(403, 'Pages of another origin may not write here', 'Forbidden')
  }
  // The storage of media files takes any type, and the intake refuses in its own words.
  if (access === 'anyone' || path.startsWith(`${API}/otel/`) || !hasContent(headers)) return
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/json') return
  throw new Refusal(415, 'Send JSON, with Content-Type: application/json', 'Unsupported Media Type')
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a browser says that another origin has made it send this. It sends `Origin` with each write. */
export function isForeign({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return origin !== undefined && origin.toLowerCase().replace(/^https?:\/\//, '') !== host?.toLowerCase()
}

function mayScore({ authorization = '', origin }: IncomingHttpHeaders, knownKeys: boolean): boolean {
  return /^bearer /i.test(authorization) && 'access-control-allow-origin' in corsHeaders(origin, knownKeys)
}

function hasContent(headers: IncomingHttpHeaders): boolean {
  const { 'content-type': type, 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  return type !== undefined || encoding !== undefined || length !== '0'
}

import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from './answer.ts'
import { same } from './auth.ts'
import { isLoopback, portOf } from './host.ts'
import type { Call } from './router.ts'
import { isForeign } from './sender.ts'

export interface PageAccess {
  /** A secret in the printed URL, new with each start. Undefined: everyone may open the page. */
  readonly token: string | undefined
  /** Address the service listens on. */
  readonly host: string
}

const PARAMETER = 'token'

export const newToken = (): string => randomBytes(24).toString('base64url')

/** The URL of a page that opens it in a browser. */
export const withToken = (url: string, token: string | undefined): string =>
  token === undefined ? url : `${url}/?${PARAMETER}=${token}`

/**
 * Whether a request comes from a browser in which the printed URL was opened, and from the page itself: an application
 * on another port of this machine is of the same site, and gets the cookie sent, too.
 */
export function isOfPage(headers: IncomingHttpHeaders, access: PageAccess): boolean {
  const isOwn = !isForeign(headers) && (access.token !== undefined || headers['sec-fetch-site'] === 'same-origin')
  return isOwn && headers.authorization === undefined && isOpenTo(headers, access)
}

/** Whether a browser has opened the printed URL. Without a token everybody has, who is on this machine. */
export function isOpenTo(headers: IncomingHttpHeaders, { token, host }: PageAccess): boolean {
  return token === undefined ? isLoopback(host) : cookiesOf(headers).some((value) => same(value, token))
}

/** Redirects the printed URL to the page without the token, which the browser keeps. Undefined for other URLs. */
export function opening(
  { method, path, query, headers }: Omit<Call, 'params'>,
  { token }: PageAccess,
): Answer | undefined {
  const given = method === 'GET' ? query.get(PARAMETER) : null
  if (token === undefined || given === null || !same(given, token)) return undefined
  const rest = new URLSearchParams(query)
  rest.delete(PARAMETER)
  const location = rest.size === 0 ? path : `${path}?${rest}`
  const cookie = { 'set-cookie': `${cookieName(headers)}=${token}; HttpOnly; SameSite=Strict; Path=/` }
  if (!isForeign(headers)) return { status: 303, headers: { ...cookie, ...PRIVATE, location } }
  // A browser that follows a link of another site sends no strict cookie along the whole redirect.
  const refresh = `<!doctype html><meta http-equiv="refresh" content="0;url=${location.replaceAll('&', '&amp;')}">`
  return { status: 200, headers: { ...cookie, ...PRIVATE, ...HTML }, body: refresh }
}

/** The answer to a browser that has not opened the printed URL. */
export const CLOSED =
  'This page is closed. Open the URL that svc local printed when it started: its token opens the page in this browser.'

export const closedPage = (): Answer => ({
  status: 403,
  headers: { ...HTML, ...PRIVATE },
  body: `<!doctype html><title>svc-local</title><p>${CLOSED}<p>It was opened here before? <a href="">Then open this page again.</a>`,
})

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const PRIVATE = {
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Browsers send the cookies of all ports of a host. */
const cookieName = ({ host }: IncomingHttpHeaders): string => `svc-local-${portOf(host)}`

function cookiesOf(headers: IncomingHttpHeaders): string[] {
  const name = `${cookieName(headers)}=`
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  return cookies.filter((cookie) => cookie.startsWith(name)).map((cookie) => cookie.slice(name.length))
}

import { NextRequest, NextResponse } from 'next/server.js'
import { expect, it, vi } from 'vitest'
import { unseal } from '../identity/seal.ts'
import { forward } from './forward.ts'

const next = (headers: Headers) => NextResponse.next({ request: { headers } })

const BODY = { identity: { userId: 'ada' } }
const request = (headers: Record<string, string> = {}) =>
  new NextRequest('https://shop.example/chat', { headers: { accept: '*/*', cookie: 'a=b', ...headers } })

/** The headers of the request after the proxy, as Next puts them together; undefined where they stay as they are. */
function after({ headers }: Response): Record<string, string | null> | undefined {
  const names = headers.get('x-middleware-override-headers')?.split(',')
  return names && Object.fromEntries(names.map((name) => [name, headers.get(`x-middleware-request-${name}`)]))
}

it('svcProxy adds the identity to the request headers, and keeps the others', async () => {
  const sent = after(await forward(request(), NextResponse.next(), BODY, next))
  expect(sent).toMatchObject({ accept: '*/*', cookie: 'a=b' })
  expect(await unseal(sent?.['x-svc-identity'])).toEqual(BODY)
})

it('svcProxy keeps the headers that the handler sets', async () => {
  const own = NextResponse.next({ request: { headers: new Headers({ 'x-own': '1' }) } })
  expect(Object.keys(after(await forward(request(), own, BODY, next)) ?? {}).toSorted()).toEqual([
    'x-own',
    'x-svc-identity',
  ])
})

it('svcProxy does not change a request without identity and trace', async () => {
  const answer = NextResponse.next()
  expect(await forward(request({ baggage: 'other=1' }), answer, { identity: {} }, next)).toBe(answer)
  expect(after(answer)).toBeUndefined()
})

it.each([
  ['svc_user_id=evil', undefined],
  ['%73vc_user_id=evil,other=1', 'other=1'],
  ['svc_user_id=evil,%=1', '%=1'],
  // Metadata is not decoded.
  ['svc_user_id=evil;a=%zz', undefined],
  ['other=1, svc_user_id=evil,more=2', 'other=1,more=2'],
])('svcProxy removes svc entries of a client from the baggage %j', async (baggage, kept) => {
  const sent = after(await forward(request({ baggage }), NextResponse.next(), { identity: {} }, next))
  expect(sent?.baggage).toBe(kept)
  expect(sent?.accept).toBe('*/*')
})

it('svcProxy removes a forged identity header', async () => {
  const sent = after(
    await forward(request({ 'x-svc-identity': 'made up' }), NextResponse.next(), { identity: {} }, next),
  )
  expect(Object.keys(sent ?? {})).not.toContain('x-svc-identity')
})

it('svcProxy does not send the identity to other hosts', async () => {
  const away = NextResponse.rewrite('https://elsewhere.example/chat')
  expect(after(await forward(request(), away, BODY, next))).toBeUndefined()
  const here = NextResponse.rewrite('https://shop.example/other')
  expect(Object.keys(after(await forward(request(), here, BODY, next)) ?? {})).toContain('x-svc-identity')
  const redirect = NextResponse.redirect('https://shop.example/login')
  expect(after(await forward(request({ baggage: 'svc_user_id=evil' }), redirect, BODY, next))).toBeUndefined()
})

it('svcProxy returns an immutable response unchanged', async () => {
  const frozen = NextResponse.rewrite('https://shop.example/other')
  vi.spyOn(frozen.headers, 'set').mockImplementation(() => {
    throw new TypeError('immutable')
  })
  expect(await forward(request(), frozen, BODY, next)).toBe(frozen)
})

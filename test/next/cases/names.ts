import { expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import type { App } from '../app.ts'
import { observed } from '../drawn.ts'
import { Visitor } from './visitor.ts'

/** A route is named as its file is, whatever the address looks like. */
export function names(service: () => Service, app: () => App): void {
  it.each([
    ['a value that is like another part', '/api/u/items/items', '/api/u/[id]/items'],
    ['an encoded value', '/api/u/a%2Fb%20c/items', '/api/u/[id]/items'],
    ['bytes in small letters', '/api/u/caf%c3%a9/items', '/api/u/[id]/items'],
    ['a rewrite', '/asked/7', '/api/u/[id]/items'],
    ['an optional catch-all without a value', '/api/opt', '/api/opt/[[...path]]'],
    ['an optional catch-all', '/api/opt/a/b', '/api/opt/[[...path]]'],
  ])('a route with %s has the name of its file', async (_, path, route) => {
    const ada = new Visitor(app())
    expect((await ada.post(path)).status).toBe(200)
    const root = await observed(service().local, `POST ${route}`, ada.user)
    const span = service()
      .local.spans()
      .find(({ spanId }) => spanId === root.id)
    expect(span?.attributes['http.route']).toBe(route)
  })
  // As Next's router in a page asks for them.
  const tree = ['', { children: ['feed', { children: ['__PAGE__', {}] }] }]
  const from = { rsc: '1', 'next-url': '/feed', 'next-router-state-tree': encodeURIComponent(JSON.stringify(tree)) }
  it.each([
    ['alone', '/feed/photo/[id]', {}],
    ['over the page that links to it', '/feed/(.)photo/[id]', from],
  ])('a page that is shown %s has the name of its file', async (_, route, headers) => {
    const ada = new Visitor(app())
    // To the address by which a cache knows what is asked for.
    expect((await ada.read('/feed/photo/7', { headers, redirect: 'follow' })).status).toBe(200)
    const root = await observed(service().local, `GET ${route}`, ada.user)
    expect(root).toMatchObject({ isRoot: true, sessionId: ada.session })
  })
}

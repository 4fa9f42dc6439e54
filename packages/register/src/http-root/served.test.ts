import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { describesRequest } from './served.ts'

const NEXT = Symbol.for('NextInternalRequestMeta')

function routeOf(left: object): string | undefined {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/chats/7' }, left)
  return describesRequest(request, new ServerResponse(request))(undefined).route
}

describe('the route of a request', () => {
  it.each([
    ['Express', { route: { path: '/:id' }, baseUrl: '/chats' }, '/chats/:id'],
    [
      'Express, of a router with parameters,',
      { route: { path: '/:id' }, baseUrl: '/users/7/chats' },
      '/users/7/chats/:id',
    ],
    ['Express, of several paths,', { route: { path: ['/:id', /^\/x/] }, baseUrl: '/chats' }, '/chats/:id,/^\\/x/'],
    ['Express, of an expression,', { route: { path: /^\/(\w+)$/ }, baseUrl: '/chats' }, '/chats/^\\/(\\w+)$/'],
    ['Express, whose error has left the router,', { route: { path: '/:id' }, baseUrl: '' }, '/chats/:id'],
    ['Express, around a framework,', { route: { path: '/{*splat}' } }, undefined],
    ['Next', { [NEXT]: { match: { definition: { pathname: '/chats/[id]' } } } }, '/chats/[id]'],
    ['Next without one', { [NEXT]: {} }, undefined],
    ['something else', { route: '/chats' }, undefined],
    ['a route without a path', { route: { path: {} } }, undefined],
  ])('is read where %s leaves it', (_, left, expected) => {
    expect(routeOf(left)).toBe(expected)
  })

  it.each(['route', 'originalUrl', NEXT])('is missing, and nothing else, where %s cannot be read', (name) => {
    const get = () => {
      throw new Error('hostile')
    }
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/chats/7' })
    Object.defineProperty(request, name, { get })
    const seen = describesRequest(request, new ServerResponse(request))(undefined)
    expect(seen).toEqual({ method: 'GET', path: '/chats/7', route: undefined, status: undefined })
  })

  it('is the one that an instrumentation reports, if one does', () => {
    const request = Object.assign(new IncomingMessage(new Socket()), { route: { path: '/left' } })
    expect(describesRequest(request, new ServerResponse(request))('/reported').route).toBe('/reported')
  })
})

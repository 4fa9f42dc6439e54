import { describe, expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import type { App } from '../app.ts'
import { drawing, observed } from '../drawn.ts'
import { CHAT } from './chat.ts'
import { Visitor } from './visitor.ts'

/** What the proxy says of a request, and what a client may not say. */
export function trust(service: () => Service, app: () => App): void {
  const FORGED = { baggage: 'other=kept,svc_user_id=evil,svc_session_id=evil,svc_tags=evil' }

  describe('proxy and route', () => {
    it('share one trace and the user', async () => {
      const ada = new Visitor(app())
      expect(await ada.read('/api/json?guarded')).toEqual({ status: 200, text: '{"path":"/api/json"}' })
      const { local } = service()
      const tree = 'guard\nGET /api/json'
      expect(await drawing(local, ada.user, tree)).toBe(tree)
      const seen = local.observations(({ userId }) => userId === ada.user)
      expect(new Set(seen.map(({ traceId }) => traceId)).size).toBe(1)
      expect(seen.map(({ sessionId }) => sessionId)).toEqual([ada.session, ada.session])
    })

    it.each([
      ['route', 'POST', '/api/plain/unwrapped', '/api/plain/[id]'],
      ['page', 'GET', '/plain/unwrapped', '/plain/[id]'],
      ['route of the Pages Router', 'POST', '/api/old', '/api/old'],
    ])('have an unwrapped %s named by its route, with the user of the proxy', async (_, method, path, route) => {
      const visitors = [1, 2, 3].map(() => new Visitor(app()))
      const body = path === '/api/old' ? { body: 'unwrapped' } : {}
      await Promise.all(visitors.map((each) => each.read(path, { method, ...body })))
      const { local } = service()
      for (const { user, session } of visitors) {
        const tree = CHAT.replace('chat', `${method} ${route}`)
        expect(await drawing(local, user, tree)).toBe(tree)
        const seen = local.observations(({ userId }) => userId === user)
        expect(new Set(seen.map(({ traceId, sessionId }) => `${traceId} ${sessionId}`)).size).toBe(1)
        expect(seen[0]?.sessionId).toBe(session)
      }
    })

    it('return a response of the proxy itself unchanged', async () => {
      const response = await new Visitor(app()).ask('/api/json?away')
      expect([response.status, new URL(response.headers.get('location') ?? '', app().url).pathname]).toEqual([
        307,
        '/api/json',
      ])
      expect(JSON.stringify([...response.headers])).not.toMatch(/svc/)
    })
  })

  describe('a claim of a client', () => {
    it.each([
      ['a route behind the proxy', '/api/json', 'echo', 'POST'],
      ['a route that the proxy does not see', '/api/direct?user=trusted', 'GET /api/direct', 'GET'],
    ])('about its user is ignored in %s', async (_, path, name, method) => {
      const ada = new Visitor(app())
      const body = method === 'POST' ? { body: JSON.stringify({ by: ada.user }) } : {}
      const session = `claimed for ${name}`
      await ada.read(path, { method, ...body, headers: { ...FORGED, 'x-session': session } })
      const { local } = service()
      const root = await observed(local, name, method === 'POST' ? ada.user : 'trusted')
      expect(root.tags).toEqual([])
      expect([ada.session, session]).toContain(root.sessionId)
      expect(local.observations(({ userId }) => userId === 'evil')).toEqual([])
    })

    it.each([
      ['a route', '/api/direct?user=named-01', '01'],
      ['a route, to switch it off', '/api/direct?user=named-00', '00'],
    ])('about its trace is ignored in %s', async (_, path, flags) => {
      const caller = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) }
      const headers = { traceparent: `00-${caller.traceId}-${caller.spanId}-${flags}` }
      await new Visitor(app()).read(path, { headers })
      const { local } = service()
      const root = await observed(local, 'GET /api/direct', `named-${flags}`)
      expect(root).toMatchObject({ isRoot: true, parentId: null })
      expect(root.traceId).not.toBe(caller.traceId)
      const span = local.spans().find(({ spanId }) => spanId === root.id)
      expect(span?.links).toEqual([expect.objectContaining(caller)])
    })

    it('in the form of a signed proxy header is ignored', async () => {
      const claimed = Buffer.from(JSON.stringify({ identity: { userId: 'evil' }, at: Date.now() })).toString(
        'base64url',
      )
      const headers = { 'x-svc-identity': `${claimed}.c2lnbmVk`, 'x-session': 'unsigned' }
      await new Visitor(app()).read('/api/direct', { headers })
      const { local } = service()
      const root = await local.waitFor(() => local.observations(({ sessionId }) => sessionId === 'unsigned').at(0))
      expect(root.userId).toBeNull()
    })
  })
}

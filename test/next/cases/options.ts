import { describe, expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import { observed, ofNext, orphans } from '../drawn.ts'
import { CHAT } from './chat.ts'
import { running } from './running.ts'
import { Visitor } from './visitor.ts'

const variablesOf = (options: object, env = {}) => ({
  env: { SVC_FLUSH_INTERVAL: '0.05', TEST_OPTIONS: JSON.stringify(options), ...env },
})

/** Options of `registerSvc`. */
export function options(service: () => Service): void {
  describe.each([
    ['keep', false],
    ['keep', true],
    ['drop', false],
  ])('nextSpans: %s, with the preload: %s', (nextSpans, preload) => {
    let from = 0
    const app = running(
      () => {
        from = service().local.count()
        return service()
      },
      { preload, ...variablesOf({ nextSpans, aiSdk: nextSpans !== 'drop' }) },
    )

    it('leaves no gap in a trace', async () => {
      const ada = new Visitor(app())
      await ada.post('/api/chat', JSON.stringify({ prompt: 'Say hi' }))
      const { local } = service()
      // aiSdk: false leaves the calls of the SDK alone: of theirs only the request is recorded.
      // What Next sends has a root for the request.
      const wanted =
        nextSpans === 'drop'
          ? ['chat', 'chat gpt-4.1-mini']
          : ['POST /api/chat', ...CHAT.split('\n').map((line) => line.trim())]
      const ours = () => {
        const spans = local.spans().filter(({ attributes }) => attributes['user.id'] === ada.user)
        return spans.filter(({ scope }) => scope.name !== 'next.js').map(({ name }) => name)
      }
      await local.waitFor(() => ours().length >= wanted.length)
      expect(ours().toSorted()).toEqual(wanted.toSorted())
      if (nextSpans === 'keep') {
        const { traceId } = await observed(local, 'chat', ada.user)
        const top = await local.waitFor(() =>
          local.observations((each) => each.traceId === traceId && each.isRoot).at(0),
        )
        expect(top.name).toBe('POST /api/chat')
      }
      await local.waitFor(() => orphans(local, from).length === 0)
      expect(ofNext(local, from).length > 0).toBe(nextSpans === 'keep')
    })

    if (nextSpans === 'keep') {
      it.each([
        ['route', 'POST', '/api/plain/kept', 'POST /api/plain/[id]'],
        ['page', 'GET', '/plain/kept', 'GET /plain/[id]'],
      ])('has one root named by its route for an unwrapped %s', async (_, method, path, name) => {
        const ada = new Visitor(app())
        await ada.read(path, { method })
        const { local } = service()
        const call = await observed(local, 'invoke_agent gpt-4.1-mini', ada.user)
        const root = await local.waitFor(() =>
          local.observations((each) => each.traceId === call.traceId && each.isRoot).at(0),
        )
        expect(root).toMatchObject({ name, userId: ada.user, sessionId: ada.session })
      })

      it('records an unobserved error on the span of its request, with its place', async () => {
        await new Visitor(app()).read('/broken')
        const { local } = service()
        // Next itself fails the span above, which may arrive first.
        const rendering = await local.waitFor(() =>
          local.observations(({ name }) => name === 'render route (app) /broken').at(-1),
        )
        expect(rendering).toMatchObject({ level: 'ERROR', statusMessage: 'the page broke' })
        expect(rendering.metadata).toMatchObject({
          routePath: '/broken',
          routeType: 'render',
          routerKind: 'App Router',
        })
      })
    }
  })

  describe('trustTraceparent', () => {
    const app = running(service, variablesOf({ trustTraceparent: true }))

    it('continues the trace of another service', async () => {
      const caller = { traceId: 'e'.repeat(32), spanId: 'f'.repeat(16) }
      const headers = { traceparent: `00-${caller.traceId}-${caller.spanId}-01` }
      await new Visitor(app()).read('/api/direct?user=continued', { headers })
      const root = await observed(service().local, 'GET /api/direct', 'continued')
      expect(root).toMatchObject({ traceId: caller.traceId, parentId: caller.spanId })
    })
  })

  describe('SVC_HTTP_ROOT', () => {
    const app = running(service, variablesOf({}, { SVC_HTTP_ROOT: 'true' }))

    it('makes the route a child of the request', async () => {
      const ada = new Visitor(app())
      await ada.post('/api/json', '{}')
      const { local } = service()
      const route = await observed(local, 'echo', ada.user)
      const request = await local.waitFor(() => local.observations(({ id }) => id === route.parentId).at(0))
      expect(request.name).toBe('POST /api/json')
    })
  })
}

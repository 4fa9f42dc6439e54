import { describe, expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import type { App } from '../app.ts'
import { drawing, drawn, observed } from '../drawn.ts'
import { CHAT } from './chat.ts'
import { Visitor } from './visitor.ts'

/** What `withSvc` makes of a request. */
export function routes(service: () => Service, app: () => App): void {
  const visitor = () => new Visitor(app())

  describe('a route handler', () => {
    it('is one trace with the AI SDK calls inside, the streamed text, user and session', async () => {
      const ada = visitor()
      const response = await ada.ask('/api/chat', { method: 'POST', body: JSON.stringify({ prompt: 'Say hi' }) })
      expect(response.headers.get('x-kept')).toBe('yes')
      expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
      const answer = textOf(await response.text())
      const { local } = service()
      expect(await drawing(local, ada.user, CHAT)).toBe(CHAT)
      const root = await observed(local, 'chat', ada.user)
      expect(root).toMatchObject({
        isRoot: true,
        sessionId: ada.session,
        traceName: 'chat',
        input: { prompt: 'Say hi' },
        output: answer,
      })
      const generation = await observed(local, 'chat gpt-4.1-mini', ada.user)
      expect(generation).toMatchObject({ type: 'GENERATION', model: 'gpt-4.1-mini', sessionId: ada.session })
      expect(generation.usage).toMatchObject({ input: expect.any(Number), output: expect.any(Number) })
      expect(JSON.stringify(generation.output)).toContain(JSON.stringify(answer).slice(1, -1))
    })

    it('includes calls of a library that is instrumented at load time', async () => {
      const ada = visitor()
      await ada.post('/api/openai', 'Say hi.')
      const tree = 'openai itself\n  chat gpt-4.1-mini'
      expect(await drawing(service().local, ada.user, tree)).toBe(tree)
    })

    it('that asks a model for calls of this process is one with them, and only its call is one', async () => {
      const ada = visitor()
      await ada.post('/api/own-model', 'Say hi.')
      const tree = 'own model\n  chat gpt-4.1-mini\n    POST /v1/chat/completions\n      chat gpt-4.1-mini'
      expect(await drawing(service().local, ada.user, tree)).toBe(tree)
      const calls = service().local.observations(({ userId, type }) => userId === ada.user && type === 'GENERATION')
      expect(calls).toMatchObject([{ name: 'chat gpt-4.1-mini', usage: { total: expect.any(Number) } }])
    })

    it('never mixes concurrent users', async () => {
      const users = Array.from({ length: 20 }, (_, index) => `direct-${index}`)
      const broken = await Promise.all(
        users.map((user) => visitor().read(`/api/direct?user=${user}`, { headers: { 'x-session': `of ${user}` } })),
      )
      expect(broken.map(({ text }) => JSON.parse(text))).toEqual(users.map((user) => ({ user })))
      const { local } = service()
      for (const user of users) {
        expect(await drawing(local, user, 'GET /api/direct\n  step')).toBe('GET /api/direct\n  step')
        const seen = local.observations(({ userId }) => userId === user)
        expect(new Set(seen.map(({ traceId }) => traceId)).size).toBe(1)
        expect(seen.map(({ sessionId }) => sessionId)).toEqual([`of ${user}`, `of ${user}`])
        expect(seen[0]?.output).toEqual({ user })
      }
    })

    it('responds without a user if the resolver fails', async () => {
      const { status } = await visitor().read('/api/direct?user=nobody', { headers: { 'x-session': 'nobodys' } })
      expect(status).toBe(200)
      const { local } = service()
      const root = await local.waitFor(() => local.observations(({ sessionId }) => sessionId === 'nobodys').at(0))
      expect(root).toMatchObject({ userId: null, level: 'DEFAULT' })
      await app().printed(/\[Svc SDK\].*the resolver of user failed/)
    })

    it('returns its trace id in a header if configured', async () => {
      const response = await visitor().ask('/api/direct?user=header')
      await response.text()
      const root = await observed(service().local, 'GET /api/direct', 'header')
      expect(response.headers.get('x-svc-trace-id')).toBe(root.traceId)
    })

    it.each([
      ['redirect()', '/api/leave', 307, 'leave'],
      ['notFound()', '/api/missing', 404, 'missing'],
      ['a body of nothing', '/api/empty', 204, 'empty'],
      ['an error', '/api/failed', 500, 'failed (ERROR the handler broke)'],
    ])('responds to %s as without observation, and only errors are recorded as such', async (_, path, status, tree) => {
      const ada = visitor()
      const answered = await ada.post(path)
      expect(answered.status).toBe(status)
      expect(await drawing(service().local, ada.user, tree)).toBe(tree)
    })

    it('with a broken stream is an error that is recorded once', async () => {
      const ada = visitor()
      const response = await ada.ask('/api/breaks', { method: 'POST' })
      await expect(response.text()).rejects.toThrow()
      const { local } = service()
      const root = await observed(local, 'breaks', ada.user)
      expect(root).toMatchObject({ level: 'ERROR', statusMessage: 'the stream broke', output: 'piece piece ' })
      // What comes after it would come before this one.
      await ada.post('/api/json', '{}')
      await observed(local, 'echo', ada.user)
      const broken = local.observations(({ statusMessage }) => statusMessage === 'the stream broke')
      expect(broken.map(({ name }) => name)).toEqual(['breaks'])
    })

    it('records a large body up to the content limit', async () => {
      const ada = visitor()
      const { status } = await ada.post('/api/json', JSON.stringify({ text: 'x'.repeat(5_000_000) }))
      expect(status).toBe(200)
      const { input } = await observed(service().local, 'echo', ada.user)
      const { text } = input as { text: string }
      expect(text.length).toBeLessThan(1_000_000)
      expect(text).toMatch(/\[truncated by svc: \d+ more characters\]$/)
    })

    it('that responds with status 500 or more is an error', async () => {
      const ada = visitor()
      expect(await ada.read('/api/empty', { method: 'DELETE' })).toEqual({ status: 503, text: 'no' })
      const tree = 'refused (ERROR HTTP 503)'
      expect(await drawing(service().local, ada.user, tree)).toBe(tree)
    })

    it('may return the response of a fetch', async () => {
      const ada = visitor()
      expect(await ada.read('/api/relayed')).toEqual({ status: 200, text: '{"path":"/api/json"}' })
      expect((await observed(service().local, 'relayed', ada.user)).output).toEqual({ path: '/api/json' })
    })

    it('makes only its own trace public with svcShare', async () => {
      const ada = visitor()
      const shared = JSON.parse((await ada.post('/api/share')).text) as { traceId: string; url: string }
      const { local } = service()
      expect(shared.url).toBe(`${local.url}/project/svc-local/traces/${shared.traceId}`)
      const trace = await local.waitForTrace(({ userId }) => userId === ada.user)
      expect(trace).toMatchObject({ traceId: shared.traceId, public: true })
      await ada.post('/api/json', '{}')
      expect((await observed(local, 'echo', ada.user)).public).toBe(false)
    })
  })

  describe('a client that disconnects', () => {
    it('leaves the output streamed so far at level WARNING, and the root ends once', async () => {
      const ada = visitor()
      const leaving = new AbortController()
      const response = await ada.ask('/api/slow', { signal: leaving.signal })
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.read()
      leaving.abort()
      const { local } = service()
      const root = await observed(local, 'slow', ada.user)
      expect(root).toMatchObject({ level: 'WARNING', statusMessage: 'client closed' })
      expect(root.output).toMatch(/^first (more )*$/)
      await observed(local, 'afterwards', ada.user)
      expect(drawn(local, ada.user)).toMatch(/^slow \(WARNING client closed\)\n( {2}(?:piece|afterwards)\n?)+$/)
      const ends = local.spans().filter(({ spanId }) => spanId === root.id)
      expect(ends).toHaveLength(1)
    })
  })
}

/** The text in a UI-message stream. */
function textOf(stream: string): string {
  const deltas = stream.matchAll(/"type":"text-delta","id":"\w+","delta":("(?:[^"\\]|\\.)*")/g)
  return [...deltas].map(([, delta = '""']) => JSON.parse(delta) as string).join('')
}

import { describe, expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import { start } from '../app.ts'
import { drawn } from '../drawn.ts'
import { CHAT } from './chat.ts'
import { Visitor } from './visitor.ts'

/** Batches that do not leave by themselves while a test runs. */
const LATER = { SVC_FLUSH_INTERVAL: '600' }

/** When spans leave, and that none is left behind. */
export function ends(service: () => Service): void {
  describe('a long-lived server', () => {
    it.each([
      ['instrumentation.js', false, {}],
      ['the preload', true, { TEST_INSTRUMENTATION: 'none' }],
    ])('batches spans of several requests, and loses nothing at SIGTERM, with %s', async (_, preload, env) => {
      const { local } = service()
      const app = await start(service(), { preload, env: { ...LATER, ...env } })
      const before = local.requests().length
      const visitors = [1, 2, 3].map(() => new Visitor(app))
      for (const each of visitors) await each.post('/api/chat', JSON.stringify({ prompt: 'Say hi' }))
      expect(local.requests()).toHaveLength(before)
      const ended = await app.stop('SIGTERM')
      expect([ended.code, ended.signal]).toEqual([143, null])
      for (const { user } of visitors) expect(drawn(local, user)).toBe(CHAT)
      expect(local.requests()).toHaveLength(before + 1)
    })
  })

  describe('a function that freezes after the response', () => {
    // Which hosts are such hosts, host.test.ts says.
    it.each([{ VERCEL: '1' }, { TEST_OPTIONS: '{"flush":"always"}' }])(
      'delivers spans with each request: %o',
      async (env) => {
        const app = await start(service(), { env: { ...LATER, ...env } })
        const ada = new Visitor(app)
        await ada.post('/api/chat', JSON.stringify({ prompt: 'Say hi' }))
        const { local } = service()
        await local.waitFor(() => drawn(local, ada.user) === CHAT)
        const ben = new Visitor(app)
        const { text } = await ben.read('/act')
        const [, action = ''] = /name="(\$ACTION_ID_\w+)"/.exec(text) ?? []
        const form = new FormData()
        form.set(action, '')
        form.set('question', 'tea')
        await ben.ask('/act', { method: 'POST', body: form })
        await local.waitFor(() => drawn(local, ben.user) === 'ask\n  answer')
        expect((await app.stop()).code).toBe(143)
      },
    )
  })
}

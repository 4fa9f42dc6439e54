import { describe, expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import { start } from '../app.ts'
import { drawn } from '../drawn.ts'
import { CHAT } from './chat.ts'
import { Visitor } from './visitor.ts'

/** When spans leave a server that goes on, and that none is left behind. */
export function longLived(service: () => Service): void {
  describe('a long-lived server', () => {
    it('batches spans of several requests, and loses nothing at SIGTERM', async () => {
      const { local } = service()
      const app = await start(service(), { env: { SVC_FLUSH_INTERVAL: '600' } })
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
}

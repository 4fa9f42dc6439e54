import { describe, expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import { drawing } from '../drawn.ts'
import { CHAT } from './chat.ts'
import { prerendering } from './prerendering.ts'
import { running } from './running.ts'
import { Visitor } from './visitor.ts'

/** Spans that leave with each request, where nothing would leave by itself. */
export function flushing(service: () => Service): void {
  // Which hosts are such hosts, host.test.ts says.
  describe.each([{ VERCEL: '1' }, { TEST_OPTIONS: '{"flush":"always"}' }])('next start with %o', (env) => {
    const app = running(service, { env: { SVC_FLUSH_INTERVAL: '600', ...env } })
    prerendering(service, app)

    it('delivers spans with each request', async () => {
      const { local } = service()
      const ada = new Visitor(app())
      await ada.post('/api/chat', JSON.stringify({ prompt: 'Say hi' }))
      expect(await drawing(local, ada.user, CHAT)).toBe(CHAT)
      const ben = new Visitor(app())
      await ben.submit(0, { question: 'tea' })
      expect(await drawing(local, ben.user, 'ask\n  answer')).toBe('ask\n  answer')
    })
  })
}

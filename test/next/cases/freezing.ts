import { describe, expect, it, onTestFinished } from 'vitest'
import type { Service } from '../../support/service.ts'
import { folderOf } from '../app.ts'
import { running } from './running.ts'
import { Visitor } from './visitor.ts'

const HOST = folderOf('app', '../freezing-host.mjs')
const ENV = { VERCEL: '1', SVC_FLUSH_INTERVAL: '600', NODE_OPTIONS: `--import ${HOST}` }
const CALL = ['chat gpt-4.1-mini', 'invoke_agent gpt-4.1-mini', 'step 1']

/** A function that stands still when its response is out: what is not delivered by then would be lost. */
export function freezing(service: () => Service): void {
  describe('a function that freezes once its response is sent', () => {
    const app = running(service, { env: ENV })

    it.each([
      ['a wrapped route', 'POST', '/api/chat', (text: string) => JSON.stringify({ prompt: text }), ['chat', ...CALL]],
      [
        'an unwrapped route',
        'POST',
        (text: string) => `/api/plain/${text}`,
        undefined,
        ['POST /api/plain/[id]', ...CALL],
      ],
      ['after() of an unwrapped route', 'POST', '/api/later', (text: string) => text, ['POST /api/later', ...CALL]],
      ['an unwrapped page', 'GET', (text: string) => `/plain/${text}`, undefined, ['GET /plain/[id]', ...CALL]],
      ['svcObserve in a page', 'GET', (text: string) => `/who?query=${text}`, undefined, ['documents', 'search']],
      ['the Pages API', 'POST', '/api/old', (text: string) => text, ['POST /api/old', ...CALL]],
    ] as const)('has delivered the spans of %s', async (name, method, path, body, names) => {
      const { local } = service()
      const text = `frozen-${name.replaceAll(/\W+/g, '-')}`
      const init = { method, headers: { 'x-freeze': text }, ...(body ? { body: body(text) } : {}) }
      const { status } = await new Visitor(app()).read(typeof path === 'string' ? path : path(text), init)
      expect(status).toBe(200)
      await app().printed(new RegExp(`frozen after ${text}$`, 'm'))
      onTestFinished(() => app().kill('SIGCONT'))
      const traces = local.observations((each) => JSON.stringify([each.input, each.output]).includes(text))
      const all = local.observations(({ traceId }) => traceId === traces[0]?.traceId)
      expect(all.map((each) => each.name).toSorted()).toEqual(names.toSorted())
    })
  })
}

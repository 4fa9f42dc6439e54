import { afterEach, expect, it, vi } from 'vitest'
import { get } from './support/ask.ts'
import { type RunningApp, startApp } from './support/column.ts'
import { drawings } from './support/drawn.ts'
import { tree } from './support/tree.ts'

const PARTIES = 1_000
/** Milliseconds that a busy machine may take for all of them. */
const BUSY = 150_000

vi.setConfig({ testTimeout: BUSY })

let app: RunningApp
afterEach(() => app?.close())

it.each(['express', 'fastify'] as const)(
  'a thousand concurrent users in one handler each have their own spans (%s)',
  async (adapter) => {
    const env = { PARTIES: String(PARTIES), SVC_TIMEOUT: '60' }
    const column = { nest: 12, adapter, node: '24.21.0', preload: true } as const
    app = await startApp(column, { entry: 'plain.js', env })
    const callers = Array.from({ length: PARTIES }, (_, n) => ({ user: `user-${n}`, session: `session-${n}` }))
    const ask = get('/places/handler/1')
    const answers = await Promise.all(callers.map((caller) => ask(app, caller)))
    expect(new Set(answers)).toEqual(new Set(['served']))
    await app.service.local.waitFor((local) => local.count() === PARTIES * 8, { timeoutMs: BUSY })

    const expected = tree(
      'PlacesController.handler',
      ...['lookup', tree('guard', 'verify'), 'param decorator', 'pipe', tree('handler', 'service')],
    )
    const drawn = callers.map(drawings(app.service.local))
    expect(drawn.filter(([trace, ...more]) => trace !== expected || more.length > 0)).toEqual([])
  },
)

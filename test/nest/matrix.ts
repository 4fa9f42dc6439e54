import type { LocalService } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INSTALL_TIMEOUT } from '../support/debian.ts'
import { ABORT, ROWS } from './rows.ts'
import { type Column, type RunningApp, startApp, unexpected } from './support/column.ts'
import { type Caller, drawings, NOBODY } from './support/drawn.ts'
import { type Redis, startRedis } from './support/redis.ts'
import { tree } from './support/tree.ts'

const USERS = ['ada', 'ben'] as const
/** What ticks for nobody, and what a guard does that runs before anything of ours. */
const TICKS = [tree('interval', 'tick'), tree('cron', 'tick')]
const GUARD = ['lookup', tree('guard', 'verify')]

/** All rows in one process: two users at once in each, who wait for each other at every step. */
export function testColumn(column: Column): void {
  const { nest, adapter, node, preload, resolvers = 'apart' } = column
  const rows = Object.entries(ROWS).filter(([, { where = () => true }]) => where(column))

  describe(`Nest ${nest}, ${adapter}, Node ${node}, ${preload ? 'with' : 'without'} the preload, user and session ${resolvers}`, () => {
    let redis: Redis
    let app: RunningApp
    const expected = new Map<Caller, readonly string[]>()
    beforeAll(async () => {
      redis = await startRedis()
      app = await startApp(column, { env: { PARTIES: '2', REDIS_PORT: String(redis.port) } })
    }, INSTALL_TIMEOUT)
    afterAll(async () => {
      await app?.close()
      await redis?.close()
    })

    async function expectTraces(caller: Caller, unordered: readonly string[]) {
      const traces = [...unordered].sort()
      expected.set(caller, traces)
      expect(await arrived(app.service.local, caller, traces)).toEqual(traces)
    }

    it.each(rows)('%s', async (place, { ask, answer, traces }) => {
      const callers = USERS.map((user) => ({ user, session: `${user} at ${place}`.replaceAll(/\W+/g, '-') }))
      const answers = await Promise.all(callers.map((caller) => ask(app, caller)))
      expect(answers).toEqual([answer, answer])
      for (const caller of callers) await expectTraces(caller, traces)
    })

    it('SSE stream that one client closes', async () => {
      const callers = USERS.map((user) => ({ user, session: `${user}-at-abort` }))
      const answers = await Promise.all(callers.map((caller) => ABORT.ask(app, caller)))
      expect(answers).toEqual([ABORT.answers.ada, ABORT.answers.ben])
      for (const caller of callers) await expectTraces(caller, ABORT.traces[caller.user])
    })

    it('no further spans arrive, and only spans of intervals and outside guards have no user', async () => {
      const { local } = app.service
      app.program.kill('SIGTERM')
      const { signal, stdout, stderr } = await app.program.ended
      expect(signal).toBe('SIGTERM')
      expect(unexpected({ stdout, stderr }, column)).toBe('')
      expect([...expected.keys()].map(drawings(local))).toEqual([...expected.values()])
      const nobodys = drawings(local)(NOBODY)
      for (const tick of TICKS) expect(nobodys).toContain(tick)
      const outside = rows.flatMap(([, { guardsOutside }]) => (guardsOutside ? USERS.flatMap(() => GUARD) : []))
      expect(nobodys.filter((trace) => !TICKS.includes(trace)).sort()).toEqual(outside.sort())
    })
  })
}

/** The traces of a caller as soon as they are what is expected, else what they are after a while. */
async function arrived(local: LocalService, caller: Caller, traces: readonly string[]): Promise<string[]> {
  const asExpected = (service: LocalService) => JSON.stringify(drawings(service)(caller)) === JSON.stringify(traces)
  await local.waitFor(asExpected, { timeoutMs: 5_000 }).catch(() => undefined)
  return drawings(local)(caller)
}

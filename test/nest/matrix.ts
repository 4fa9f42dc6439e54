import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INSTALL_TIMEOUT } from '../support/debian.ts'
import type { Ended } from '../support/run.ts'
import { ABORT, FORGED, ROWS } from './rows.ts'
import { type Column, type RunningApp, startApp, unexpected } from './support/column.ts'
import { type Caller, drawings, NOBODY } from './support/drawn.ts'
import { type Redis, startRedis } from './support/redis.ts'
import { tree } from './support/tree.ts'

const USERS = ['ada', 'ben'] as const
/** What ticks for nobody, and what a guard does that runs before anything of ours. */
const TICKS = [tree('interval', 'tick'), tree('cron', 'tick')]
const GUARD = ['lookup', tree('guard', 'verify')]

/**
 * All rows in one process: two users at once in each, who wait for each other at every step. What arrived is looked at
 * when the process has ended, so that nothing has to arrive in time.
 */
export function testColumn(column: Column): void {
  const { nest, adapter, node, preload, resolvers = 'apart' } = column
  const rows = Object.entries(ROWS).filter(([, { where = () => true }]) => where(column))

  describe(`Nest ${nest}, ${adapter}, Node ${node}, ${preload ? 'with' : 'without'} the preload, user and session ${resolvers}`, () => {
    let redis: Redis
    let app: RunningApp
    let ended: Ended
    const answers = new Map<string, readonly unknown[]>()
    const expected = new Map<Caller, readonly string[]>()
    const expectedAt = (place: string) => [...expected].filter(([{ session }]) => session.endsWith(sessionAt(place)))

    beforeAll(async () => {
      redis = await startRedis()
      app = await startApp(column, { env: { PARTIES: '2', REDIS_SOCKET: redis.socket } })
      for (const [place, { ask, traces, ...row }] of [...rows, ['abort', ABORT] as const]) {
        const callers = USERS.map((user) => ({ user, session: user + sessionAt(place) }))
        const wanted = ({ user }: (typeof callers)[number]) => ('answers' in row ? row.answers[user] : row.answer)
        const asked = callers.map((caller) => ({
          caller,
          wanted: wanted(caller),
          answer: ask(app, caller).catch(String),
        }))
        answers.set(place, await answersAt(place, asked))
        for (const caller of callers) expected.set(caller, [...('ada' in traces ? traces[caller.user] : traces)].sort())
      }
      // A server sees a moment later than its client that a response is over, or that the client has left.
      const { local } = app.service
      const isThere = () => isDeepStrictEqual([...expected.keys()].map(drawings(local)), [...expected.values()])
      await local.waitFor(isThere).catch(() => undefined)
      app.program.kill('SIGTERM')
      ended = await app.program.ended
    }, INSTALL_TIMEOUT)
    afterAll(async () => {
      await app?.close()
      await redis?.close()
    })

    function expectTraces(place: string) {
      for (const [caller, traces] of expectedAt(place)) expect(drawings(app.service.local)(caller)).toEqual(traces)
    }

    it.each(rows)('%s', (place, { answer }) => {
      expect(answers.get(place)).toEqual([answer, answer])
      expectTraces(place)
    })

    it('SSE stream that one client closes', () => {
      expect(answers.get('abort')).toEqual([ABORT.answers.ada, ABORT.answers.ben])
      expectTraces('abort')
    })

    it('only spans of intervals and outside guards have no user', () => {
      const nobodys = drawings(app.service.local)(NOBODY)
      for (const tick of TICKS) expect(nobodys).toContain(tick)
      const outside = rows.flatMap(([, { guardsOutside }]) => (guardsOutside ? USERS.flatMap(() => GUARD) : []))
      expect(nobodys.filter((trace) => !TICKS.includes(trace)).sort()).toEqual(outside.sort())
    })

    it('a user, tags and a trace that a client forges are nowhere', () => {
      const spans = app.service.local.spans()
      expect(JSON.stringify(spans)).not.toContain(FORGED.word)
      expect(spans.filter(({ traceId }) => traceId === FORGED.traceId)).toEqual([])
    })

    it('the process ends by SIGTERM as without svc, which has logged once that a client is not trusted', () => {
      expect(ended.signal).toBe('SIGTERM')
      expect(unexpected(ended, column)).toMatch(
        /^\na request from \S+ names a trace or a user, which is not trusted.*$/,
      )
    })
  })
}

interface Asked {
  readonly caller: Caller
  readonly wanted: unknown
  readonly answer: Promise<unknown>
}

/**
 * The answers of users who wait for each other. Where one gets another answer than is wanted, the others may wait for
 * ever: they are not waited for, and who has answered what is said at once.
 */
function answersAt(place: string, asked: readonly Asked[]): Promise<readonly unknown[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly unknown[]>()
  const known = new Map<string, unknown>()
  const told = () => asked.map(({ caller: { user } }) => `${user}: ${known.has(user) ? known.get(user) : 'no answer'}`)
  const fail = () => reject(new Error(`the answers at ${place} are not those of all: ${told().join('; ')}`))
  const late = setTimeout(fail, 100_000)
  for (const { caller, wanted, answer } of asked) {
    void answer.then((got) => {
      known.set(caller.user, got)
      if (!isDeepStrictEqual(got, wanted)) fail()
      if (known.size === asked.length) resolve(asked.map(({ caller: { user } }) => known.get(user)))
    })
  }
  return promise.finally(() => clearTimeout(late))
}

const sessionAt = (place: string) => ` at ${place}`.replaceAll(/\W+/g, '-')

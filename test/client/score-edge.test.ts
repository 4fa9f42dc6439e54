import { createScoreManager, type SvcClientOptions, SvcScoreError } from '@svc/client/score'
import { environmentOf } from '@svc/core/environment'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { useBench } from './api-support.ts'

// By it an edge runtime is told from Node: there is only `fetch`, and it may cut a request off.
beforeAll(() => void vi.stubEnv('NEXT_RUNTIME', 'edge'))
afterAll(() => void vi.unstubAllEnvs())

const bench = useBench()
const SCORES = 'POST /api/public/scores'
const TRACE = '0123456789abcdef0123456789abcdef'

let before = 0
beforeEach(() => {
  before = bench.local.calls().length
})
const sent = () => bench.local.calls().slice(before)
const names = () => sent().map(({ status, body }) => [status, (body as { name: string }[]).map(({ name }) => name)])
const score = (n: number | string) => ({ traceId: TRACE, name: `n${n}`, value: 1 })
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

function manager(options: SvcClientOptions = {}) {
  const scores = createScoreManager({ env: environmentOf({ ...bench.local.env, SVC_TIMEOUT: '60' }), ...options })
  onTestFinished(() => scores.shutdown())
  return scores
}

describe('on an edge runtime', () => {
  it('scores are sent by number, by time, and on a flush', async () => {
    const scores = manager({ flushAt: 2, flushInterval: 0.01 })
    for (const n of numbers(2)) scores.create(score(n))
    await vi.waitFor(() => expect(sent()).toHaveLength(1), 60_000)
    scores.create(score('later'))
    await vi.waitFor(() => expect(scores.health().sent).toBe(3), 60_000)
    scores.create(score('last'))
    expect(scores.health()).toMatchObject({ state: 'ok', ended: 4, sent: 3, pending: 1 })
    await scores.flush()
    expect(names()).toEqual([
      [202, ['n0', 'n1']],
      [202, ['nlater']],
      [202, ['nlast']],
    ])
    expect(scores.health()).toMatchObject({ ended: 4, sent: 4, pending: 0, pendingBytes: 0, dropped: {} })
    expect(bench.logged()).toEqual([])
  })

  it('a request has 100 scores at most', async () => {
    const scores = manager({ flushAt: 1_000 })
    for (const n of numbers(250)) scores.create(score(n))
    await scores.flush()
    expect(sent().map(({ body }) => (body as unknown[]).length)).toEqual([100, 100, 50])
  })

  it('a service that fails loses none of them', async () => {
    bench.local.respond(SCORES, { status: 503, body: {}, times: 3 })
    const scores = manager({ flushAt: 2 })
    for (const n of numbers(5)) scores.create({ ...score(n), id: `edge-${n}` })
    await scores.flush()
    const taken = sent().filter(({ status }) => status === 202)
    const ids = taken.flatMap(({ body }) => (body as { id: string }[]).map(({ id }) => id))
    expect(ids.sort()).toEqual(numbers(5).map((n) => `edge-${n}`))
    scores.create(score('after'))
    await scores.flush()
    expect(scores.health()).toMatchObject({ state: 'ok', ended: 6, sent: 6, pending: 0, dropped: {} })
    expect(bench.logged()).toEqual([])
  })

  it('a response of another server is not a success', async () => {
    bench.local.respond(SCORES, { status: 200, body: 'please log in', times: 1 })
    const scores = manager()
    scores.create({ ...score('portal'), id: 'portal' })
    await scores.flush()
    expect(bench.local.scores().map(({ id }) => id)).toContain('portal')
    expect(scores.health()).toMatchObject({ ended: 1, sent: 1 })
  })

  it('rejected scores are named with the reason', async () => {
    const body = { accepted: 0, rejected: 1, errors: [{ message: 'n1: no such trace' }] }
    bench.local.respond(SCORES, { status: 207, body, times: 1 })
    const scores = manager()
    scores.create(score(1))
    await scores.flush()
    expect(bench.logged()).toEqual([expect.stringContaining('Svc rejected 1 of 1 scores in batch: n1: no such trace')])
    expect(scores.health()).toMatchObject({ ended: 1, sent: 0, dropped: { rejected: 1 } })
  })

  it('a service that hangs is waited for as long as the shutdown timeout says', async () => {
    const hanging = bench.local.respond(SCORES, { until: new Promise(() => {}), times: 9 })
    const scores = manager({ shutdownTimeout: 0.05, timeout: 600 })
    scores.create(score('hanging'))
    await scores.shutdown()
    hanging.stop()
    expect(bench.logged()).toEqual([
      expect.stringMatching(/within 0\.05 s \(SVC_SHUTDOWN_TIMEOUT\)\. 1 score is lost\.$/),
    ])
  })

  it('scores left at the end are reported as lost, with the reason', async () => {
    const scores = manager({ baseUrl: 'http://127.0.0.1:1', shutdownTimeout: 60 })
    for (const n of numbers(3)) scores.create(score(n))
    await scores.shutdown()
    expect(bench.logged()).toEqual([expect.stringMatching(/^.*Cannot reach .* 3 scores are lost\.$/)])
    expect(scores.health()).toMatchObject({ ended: 3, sent: 0, pending: 0, dropped: { shutdown: 3 } })
  })

  it('scores beyond the queue limit are counted', async () => {
    const scores = manager({ baseUrl: 'http://127.0.0.1:1', maxQueueBytes: 1_000, shutdownTimeout: 0.1 })
    for (const n of numbers(30)) scores.create({ ...score(n), comment: 'x'.repeat(100) })
    await scores.flush()
    const { ended, pending, dropped } = scores.health()
    expect([ended, pending + (dropped.queue_full ?? 0)]).toEqual([30, 30])
    expect(dropped.queue_full).toBeGreaterThan(10)
    await scores.shutdown()
  })

  it('createAndWait resolves when the service has the score, and rejects with the reason', async () => {
    const scores = manager()
    scores.create(score('first'))
    const { id } = await scores.createAndWait(score('awaited'))
    expect(bench.local.scores().map((each) => each.id)).toContain(id)
    expect(names().at(-1)).toEqual([202, ['nawaited']])
    const wrong = manager({ secretKey: 'sk-wrong' })
    await expect(wrong.createAndWait(score('refused'))).rejects.toThrow(SvcScoreError)
    await wrong.shutdown()
  })
})

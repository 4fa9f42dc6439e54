import { beforeEach, describe, expect, it } from 'vitest'
import { useBench } from './api-support.ts'

const bench = useBench()
const SCORES = 'POST /api/public/scores'
const TRACE = '0123456789abcdef0123456789abcdef'

let before = 0
beforeEach(() => {
  before = bench.local.calls().length
})
const sent = () => bench.local.calls().slice(before)
const names = () => bench.local.scores().map(({ name }) => name)

/** A client with scores of these names in its queue. */
function withScores(...wanted: string[]) {
  const client = bench.client({ flushAt: 1_000 })
  for (const name of wanted) client.score.create({ traceId: TRACE, name, value: 1 })
  return client
}

describe('scores that the service rejects', () => {
  it('are reported with its reasons, and not sent again', async () => {
    const client = withScores('kept')
    client.score.create({ traceId: TRACE, name: 'bad', value: 'text', dataType: 'NUMERIC' })
    await client.flush()
    await client.flush()
    expect(bench.logged()).toEqual([
      expect.stringMatching(/^svc: \[ERROR\] Svc rejected 1 of 2 scores in batch: bad: \S/),
    ])
    expect(sent()).toMatchObject([{ status: 207 }])
    expect(names()).toContain('kept')
    expect(names()).not.toContain('bad')
  })

  it.each<[answer: unknown, line: RegExp]>([
    [{ accepted: 0, rejected: 2, errors: [] }, /Svc rejected 2 of 2 scores in batch: the response has no reason$/],
    [{ accepted: 0, rejected: 2 }, /Svc rejected 2 of 2 scores in batch: the response has no reason$/],
    [{ rejected: 'many', errors: ['a', { code: 7 }] }, /Svc rejected some of 2 scores in batch: "a"; \{"code":7\}$/],
    [null, /Svc rejected some of 2 scores in batch: the response has no reason$/],
    ['{"rejected": 2,', /Svc rejected some of 2 scores in batch: the response does not name them$/],
    [
      { rejected: 2, errors: Array.from({ length: 25 }, (_, n) => ({ message: `e${n}` })) },
      /Svc rejected 2 of 2 scores in batch: e0; .*; e19; 5 more$/,
    ],
  ])('are reported also if the response is %j', async (body, line) => {
    bench.local.respond(SCORES, { status: 207, body })
    await withScores('a', 'b').flush()
    expect(bench.logged()).toEqual([expect.stringMatching(line)])
    expect(sent()).toHaveLength(1)
  })

  it('are none if the response lists none', async () => {
    bench.local.respond(SCORES, { status: 207, body: { accepted: 2, rejected: 0, errors: [] } })
    await withScores('a', 'b').flush()
    expect(bench.logged()).toEqual([])
  })
})

describe('a batch of scores that is not accepted', () => {
  it('is sent again after the pause that the service requests', async () => {
    bench.local.respond(SCORES, { status: 429, headers: { 'retry-after': '0.02' }, body: {} })
    bench.local.respond(SCORES, { status: 503, headers: { 'retry-after': '0.02' }, body: {} })
    await withScores('patient').flush()
    expect(sent().map(({ status }) => status)).toEqual([429, 503, 202])
    expect(names()).toContain('patient')
    expect(bench.logged()).toEqual([])
  })

  it('is sent again if its connection was closed, which its ids make safe', async () => {
    bench.local.respond(SCORES, { drop: true })
    await withScores('dropped').flush()
    expect(sent().map(({ status }) => status)).toEqual([0, 202])
    const [first, second] = sent().map(({ body }) => body)
    expect(second).toEqual(first)
    expect(bench.logged()).toEqual([])
  })
})

it('missing keys are reported once, when the client is created', () => {
  bench.client({ env: () => undefined })
  bench.client({ env: () => undefined })
  expect(bench.logged()).toEqual([
    'svc: [WARN] no SVC_PUBLIC_KEY and no SVC_SECRET_KEY, so the service will reject the requests of SvcClient. Set them.',
  ])
})

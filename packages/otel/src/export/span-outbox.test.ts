import { gunzipSync } from 'node:zlib'
import { DIRECT } from '@svc/core/transport'
import { describe, expect, it } from 'vitest'
import { batchOf, names, namesIn } from '../../test/support/batches.ts'
import { catchLog } from '../../test/support/console.ts'
import { type Endpoint, GAVE_UP, MAX_AGE_MS, outboxWith, TARGET } from '../../test/support/outbox.ts'
import { networkError, responseOf, taken } from '../../test/support/responses.ts'
import { PROTOBUF } from './protobuf.ts'
import { inEncoding } from './span-format.ts'

const log = catchLog()
const JSON_TYPE = { 'content-type': 'application/json' } as const
const fine: Endpoint = () => taken
const away = networkError('ECONNREFUSED')

/** The names of the spans of each request. */
const spansOf = (sent: readonly { readonly spans: readonly string[] }[]) => sent.map(({ spans }) => spans.join())

describe('a queued batch', () => {
  it('is one request to the target', () => {
    const { add, outbox, run } = outboxWith()
    add(batchOf(['a', 'b']))
    expect(run(fine)).toMatchObject([
      { spans: ['a', 'b'], request: { method: 'POST', url: TARGET.url, headers: TARGET.headers, timeoutMs: 5_000 } },
    ])
    expect(outbox.transport).toBe(DIRECT)
  })

  it('has a Content-Encoding header if it is compressed', () => {
    const { add, run } = outboxWith({ compressed: true })
    const batch = inEncoding(batchOf(['a']), true, PROTOBUF)
    add(batch)
    const [sent] = run(fine)
    expect(sent?.request.headers).toEqual({ ...TARGET.headers, 'content-encoding': 'gzip' })
    expect(sent?.request.body).toBe(batch.body)
  })

  it('is compressed when it is sent, if necessary', () => {
    const { add, run } = outboxWith({ compressed: true })
    const batch = batchOf(['a'])
    add(batch)
    const body = run(fine)[0]?.request.body ?? new Uint8Array()
    expect(new Uint8Array(gunzipSync(body))).toEqual(batch.body)
  })

  it('is sent once, and removed when it is accepted', () => {
    const { add, run, outcome, budget, verdicts, outbox } = outboxWith()
    add(batchOf(['a', 'b']), batchOf(['c']))
    expect(spansOf(run(fine))).toEqual(['a,b', 'c'])
    expect(outcome()).toEqual({ sent: 3, pending: 0, dropped: {} })
    expect([budget.used, verdicts, outbox.wait(), outbox.take()]).toEqual([
      0,
      ['accepted', 'accepted'],
      undefined,
      undefined,
    ])
  })

  it('is counted in spans and bytes, also in flight', () => {
    const { add, takeAll, outbox, budget } = outboxWith()
    const [one, two] = [batchOf(['a', 'b']), batchOf(['c'])]
    add(one, two)
    expect([outbox.items, budget.used]).toEqual([3, one.body.length + two.body.length])
    takeAll()
    expect([outbox.items, budget.used]).toEqual([3, one.body.length + two.body.length])
  })

  it('is counted with its current size', () => {
    const { add, takeAll, budget } = outboxWith({ compressed: true })
    add(batchOf(names(50)))
    const [outgoing] = takeAll()
    expect(budget.used).toBe(outgoing?.request.body.length)
  })

  it('is part of a flush until it is settled', () => {
    const { add, takeAll, run, outbox } = outboxWith()
    add(batchOf(['a'], { epoch: 3 }), batchOf(['b'], { epoch: 3 }), batchOf(['c'], { epoch: 5 }))
    expect([2, 3, 4, 5, 9].map((epoch) => outbox.holds(epoch))).toEqual([false, true, true, true, true])
    for (const { settle } of takeAll().slice(0, 2)) settle(taken)
    expect([3, 4, 5].map((epoch) => outbox.holds(epoch))).toEqual([false, false, true])
    run(fine)
    expect(outbox.holds(9)).toBe(false)
  })
})

describe('the requests of the outbox', () => {
  it('are up to four at once', () => {
    const { add, takeAll, outbox } = outboxWith()
    add(...names(6).map((name) => batchOf([name])))
    const [first] = takeAll()
    expect([outbox.wait(), outbox.take()]).toEqual([undefined, undefined])
    first?.settle(taken)
    expect(outbox.wait()).toBe(0)
    expect(takeAll()).toHaveLength(1)
  })

  it('continue beside a hanging request', () => {
    const { add, takeAll, outcome } = outboxWith()
    add(...names(20).map((name) => batchOf([name])))
    const [hanging, ...others] = takeAll()
    while (others.length > 0) {
      others.shift()?.settle(taken)
      others.push(...takeAll())
    }
    expect(outcome()).toEqual({ sent: 19, pending: 1, dropped: {} })
    hanging?.settle(taken)
    expect(outcome()).toEqual({ sent: 20, pending: 0, dropped: {} })
  })

  it('are none while the queue is empty or the endpoint is paused', () => {
    const { add, takeAll, outbox, clock } = outboxWith()
    expect(outbox.wait()).toBeUndefined()
    add(batchOf(['a']))
    expect(outbox.wait()).toBe(0)
    takeAll()[0]?.settle(away)
    // 500 ms, of which half is jitter.
    expect(outbox.wait()).toBe(375)
    clock.pass(374)
    expect([outbox.wait(), outbox.take()]).toEqual([1, undefined])
    clock.pass(1)
    expect(outbox.wait()).toBe(0)
    expect(takeAll()).toHaveLength(1)
  })

  it('are one at a time while the endpoint fails', () => {
    const { add, takeAll, clock, outbox } = outboxWith()
    add(...names(4).map((name) => batchOf([name])))
    const first = takeAll()
    clock.pass(10)
    for (const { settle } of first) settle(away)
    clock.pass(375)
    expect(takeAll()).toHaveLength(1)
    expect(outbox.wait()).toBeUndefined()
  })
})

describe('a batch that could not be sent', () => {
  it('moves to the end of the queue', () => {
    const { add, run } = outboxWith()
    add(batchOf(['a']), batchOf(['b']), batchOf(['c']))
    const sent = run((spans, _, index) => (index < 5 && spans.includes('a') ? responseOf(503) : taken))
    expect(spansOf(sent)).toEqual(['a', 'b', 'c', 'a', 'a', 'a'])
  })

  it.each([responseOf(503), responseOf(429), responseOf(401), responseOf(404), responseOf(307), away])(
    'is kept and retried: %j',
    (outcome) => {
      const { add, run, outcome: became, budget } = outboxWith()
      add(batchOf(['a', 'b']))
      expect(run(() => outcome, once())).toHaveLength(1)
      expect(became()).toEqual({ sent: 0, pending: 2, dropped: {} })
      run(fine)
      expect([became(), budget.used]).toEqual([{ sent: 2, pending: 0, dropped: {} }, 0])
      expect(log.lines()).toEqual([])
    },
  )

  it('waits for Retry-After, like all others', () => {
    const { add, run } = outboxWith()
    add(batchOf(['a']), batchOf(['b']))
    const sent = run((_spans, _request, index) => (index === 0 ? responseOf(503, '', { 'retry-after': '30' }) : taken))
    // 10 % later at most, and half of that here. The other one was under way.
    expect(sent.map(({ spans, at }) => [spans.join(), at])).toEqual([
      ['a', 0],
      ['b', 0],
      ['a', 31_501],
    ])
  })

  it('because of wrong keys is retried once a minute, and does not expire', () => {
    const { add, run, sent, outcome, state } = outboxWith()
    add(batchOf(['a']))
    run(
      () => responseOf(401),
      () => sent.length === 30,
    )
    const pauses = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))
    expect([Math.min(...pauses), Math.max(...pauses)]).toEqual([63_001, 63_001])
    expect([state.phase, outcome()]).toEqual(['refused', { sent: 0, pending: 1, dropped: {} }])
  })

  it('is reported to the announcer', () => {
    const { add, run, verdicts } = outboxWith()
    add(batchOf(['a']))
    const answers = [away, responseOf(401), responseOf(503), responseOf(415), responseOf(400)]
    run(
      (_spans, _request, index) => answers[index] ?? taken,
      () => verdicts.length === 5,
    )
    expect(verdicts).toEqual(['retry', 'refused', 'retry', 'uncompressed', 'split'])
  })
})

describe('a partial success', () => {
  const partial = (rejected: number) =>
    responseOf(200, JSON.stringify({ partialSuccess: { rejectedSpans: rejected, errorMessage: 'too old' } }), JSON_TYPE)

  it('is counted and reported', () => {
    const { add, run, outcome, budget } = outboxWith()
    add(batchOf(names(10)))
    run(() => partial(3))
    expect([outcome(), budget.used]).toEqual([{ sent: 7, pending: 0, dropped: { rejected: 3 } }, 0])
    expect(log.lines()).toEqual(['svc: [ERROR] host:1 rejected spans: too old. 3 spans are lost.'])
  })

  it('rejects no more spans than were sent', () => {
    const { add, run, outcome } = outboxWith()
    add(batchOf(names(2)))
    run(() => partial(1_000))
    expect(outcome()).toEqual({ sent: 0, pending: 0, dropped: { rejected: 2 } })
  })
})

describe('a batch that is too old', () => {
  it('is dropped with the reason of the last failure', () => {
    const { add, run, clock, outcome, budget } = outboxWith()
    add(batchOf(['a', 'b']))
    run(
      () => away,
      () => clock.now() > MAX_AGE_MS / 2,
    )
    add(batchOf(['young']))
    run(
      () => away,
      () => clock.now() > MAX_AGE_MS + 20_000,
    )
    expect(outcome()).toEqual({ sent: 0, pending: 1, dropped: { max_retry_age: 2 } })
    expect(log.lines()).toEqual([
      'svc: [ERROR] Cannot reach host:1: connect ECONNREFUSED. Spans are retried for 900 s (SVC_OTEL_MAX_RETRY_AGE). 2 spans are lost.',
    ])
    run(fine)
    expect([outcome(), budget.used]).toEqual([{ sent: 1, pending: 0, dropped: { max_retry_age: 2 } }, 0])
  })

  it('is kept until the exact limit', () => {
    const { add, clock, takeAll } = outboxWith()
    add(batchOf(['a']))
    clock.pass(MAX_AGE_MS)
    expect(takeAll()).toHaveLength(1)
  })

  it('names a slow endpoint as the reason', () => {
    const { add, clock, takeAll, outcome } = outboxWith()
    add(batchOf(['a']))
    clock.pass(MAX_AGE_MS + 1)
    expect(takeAll()).toEqual([])
    expect(outcome()).toEqual({ sent: 0, pending: 0, dropped: { max_retry_age: 1 } })
    expect(log.lines('host:1 accepts spans too slowly.')).toHaveLength(1)
  })

  it('is kept in flight, and while the keys are refused', () => {
    const { add, clock, takeAll, outcome } = outboxWith()
    add(...names(6).map((name) => batchOf([name])))
    const [, ...others] = takeAll()
    for (const { settle } of others) settle(responseOf(401))
    clock.pass(MAX_AGE_MS * 2)
    takeAll()
    expect(outcome()).toEqual({ sent: 0, pending: 6, dropped: {} })
  })
})

describe('at the end of the process the outbox', () => {
  it('puts batches in flight back in front of the others', () => {
    const { add, takeAll, outbox, outcome, budget } = outboxWith()
    add(...names(6).map((name) => batchOf([name])))
    takeAll()
    outbox.end()
    const again = takeAll()
    expect(again.map(({ request }) => namesIn(request.body).join())).toEqual(['s0', 's1', 's2', 's3'])
    for (const { settle } of again) settle(taken)
    for (const { settle } of takeAll()) settle(taken)
    expect([outcome(), budget.used]).toEqual([{ sent: 6, pending: 0, dropped: {} }, 0])
  })

  it('ignores responses to earlier requests', () => {
    const { add, takeAll, outbox, outcome, verdicts } = outboxWith()
    add(...names(6).map((name) => batchOf([name])))
    const before = takeAll()
    outbox.end()
    for (const { settle } of before) settle(responseOf(401))
    expect([outcome(), verdicts, outbox.wait()]).toEqual([{ sent: 0, pending: 6, dropped: {} }, [], 0])
  })

  it('counts a batch that was sent twice once, whichever response comes first', () => {
    const { add, takeAll, outbox, outcome, budget } = outboxWith()
    add(batchOf(['a']), batchOf(['b']))
    const before = takeAll()
    outbox.end()
    const after = takeAll()
    for (const { settle } of [before[0], after[1], after[0], before[1]].flatMap((each) => each ?? [])) settle(taken)
    expect([outcome(), budget.used]).toEqual([{ sent: 2, pending: 0, dropped: {} }, 0])
  })

  it('does not wait for a backoff pause', () => {
    const { add, takeAll, outbox } = outboxWith()
    add(batchOf(['a']))
    takeAll()[0]?.settle(responseOf(503))
    outbox.end()
    expect(outbox.wait()).toBe(0)
  })

  it('waits for a pause that the endpoint requested', () => {
    const { add, takeAll, outbox } = outboxWith()
    add(batchOf(['a']))
    takeAll()[0]?.settle(responseOf(503, '', { 'retry-after': '1' }))
    outbox.end()
    expect(outbox.wait()).toBe(1_050)
  })

  it.each<[what: string, endpoint: Endpoint, requests: number]>([
    ['refuses the keys', () => responseOf(401), 1],
    ['is not there', () => away, 3],
    ['refuses the last span as it is', () => responseOf(400), 1],
  ])('does not wait for an endpoint that %s', (_, endpoint, requests) => {
    const { add, run, sent, outbox, outcome } = outboxWith()
    add(batchOf(['a']))
    run(endpoint, () => sent.length === requests)
    outbox.end()
    expect([outbox.wait(), outbox.take()]).toEqual([undefined, undefined])
    expect(outcome()).toMatchObject({ pending: 1, dropped: {} })
  })
})

describe('closing the outbox', () => {
  it('counts queued batches and those in flight, whose responses are ignored', () => {
    const { add, takeAll, outbox, budget, outcome } = outboxWith()
    add(...names(6).map((name) => batchOf([name, name])))
    const underWay = takeAll()
    outbox.close(GAVE_UP)
    expect([outbox.items, budget.used, outbox.holds(9), outbox.wait()]).toEqual([0, 0, false, undefined])
    for (const { settle } of underWay) settle(taken)
    expect([outcome(), budget.used]).toEqual([{ sent: 0, pending: 0, dropped: { shutdown: 12 } }, 0])
  })
})

describe('for any responses of the endpoint', () => {
  const answers = [200, 200, 200, 202, 400, 401, 404, 408, 413, 415, 422, 429, 500, 503, 307].map((status) =>
    responseOf(status),
  )
  const outcomes = [
    ...answers,
    away,
    new Error('odd'),
    responseOf(200, '<html>', { 'content-type': 'text/html' }),
    responseOf(200, '{"partialSuccess":{"rejectedSpans":1}}', JSON_TYPE),
    responseOf(200, '{"par', JSON_TYPE, false),
    responseOf(503, '', { 'retry-after': '100' }),
  ]

  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'every span and every byte is accounted for: seed %d',
    (seed) => {
      let state = seed + 1
      const next = (below: number) => {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31
        return Math.floor((state / 2 ** 31) * below)
      }
      const { add, run, takeAll, missing, outbox, budget, sent } = outboxWith({ compressed: seed % 2 === 0 })
      for (let round = 0; round < 20; round++) {
        add(...Array.from({ length: next(4) }, () => batchOf(names(1 + next(40)))))
        const until = sent.length + next(12)
        run(
          () => outcomes[next(outcomes.length)] ?? taken,
          () => sent.length >= until,
        )
        expect(missing()).toBe(0)
      }
      if (seed % 3 === 0) outbox.end()
      takeAll()
      expect(missing()).toBe(0)
      expect(outbox.items > 0).toBe(budget.used > 0)
      outbox.close(GAVE_UP)
      expect([outbox.items, budget.used, missing()]).toEqual([0, 0, 0])
    },
  )
})

/** Returns true from the second call on: after one request. */
function once(): () => boolean {
  let requested = 0
  return () => requested++ > 0
}

import { randomBytes } from 'node:crypto'
import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { batchOf, names, plainSpan, requestOf } from '../../test/support/batches.ts'
import { catchLog } from '../../test/support/console.ts'
import { type Endpoint, GAVE_UP, outboxWith, type Sent, unless } from '../../test/support/outbox.ts'
import { responseOf, taken } from '../../test/support/responses.ts'
import { PROTOBUF } from './protobuf.ts'
import { inEncoding } from './span-format.ts'

const log = catchLog()
const POISON = 'poison'
const noPoison: Endpoint = unless((spans) => !spans.includes(POISON), taken, responseOf(400, 'bad span'))

/** 512 spans, one of which the endpoint does not take. */
const withPoison = (at: number) => batchOf(names(512).with(at, POISON))

const refusals = (sent: readonly Sent[], endpoint: Endpoint) =>
  sent.filter(({ spans, request }, index) => (endpoint(spans, request, index) as { status: number }).status !== 200)

describe('a batch with a span that the endpoint refuses with 400', () => {
  it.each([0, 1, 100, 255, 256, 510, 511])('is split until that span is alone, and all others arrive: %d', (at) => {
    const { add, run, outcome, outbox } = outboxWith()
    add(withPoison(at))
    const sent = run(noPoison)
    // 512, 256, …, 1 with it, and nine without: twice that for the ones that ask in vain.
    expect(refusals(sent, noPoison).length).toBeLessThanOrEqual(11)
    expect(sent.length).toBeLessThanOrEqual(20)
    expect(outcome()).toMatchObject({ sent: 511 })
    expect(outbox.items + (outcome().dropped.rejected ?? 0)).toBe(1)
  })

  it('loses that span, with a count and the reason, once another batch is accepted', () => {
    const { add, run, outcome, budget, state } = outboxWith()
    add(withPoison(300))
    run(noPoison)
    add(batchOf(['next']))
    run(noPoison)
    expect(outcome()).toEqual({ sent: 512, pending: 0, dropped: { rejected: 1 } })
    expect([budget.used, state.phase]).toEqual([0, 'ok'])
    expect(log.lines()).toEqual([
      'svc: [ERROR] host:1 did not accept a batch of spans: it answered 400: bad span. 1 span is lost.',
    ])
  })

  it('is split in the same way if it is compressed', () => {
    const { add, run, outcome } = outboxWith({ compressed: true })
    add(inEncoding(withPoison(77), true, PROTOBUF), batchOf(['next']))
    const sent = run(noPoison)
    expect(outcome().sent).toBe(512)
    expect(sent.every(({ request }) => request.headers['content-encoding'] === 'gzip')).toBe(true)
  })

  it.each([2, 5, 9])('loses %d refused spans and no more, wherever they are', (count) => {
    const { add, run, outcome, budget } = outboxWith()
    const places = Array.from({ length: count }, (_, at) => (at * 211) % 512)
    add(batchOf(names(512).map((name, at) => (places.includes(at) ? POISON : name))))
    run(noPoison)
    add(batchOf(['next']))
    run(noPoison)
    expect(outcome()).toEqual({ sent: 513 - count, pending: 0, dropped: { rejected: count } })
    expect(budget.used).toBe(0)
  })
})

describe('a single span that is refused', () => {
  it('is kept until another batch is accepted, because the endpoint may be at fault', () => {
    const { add, run, outcome, sent, outbox } = outboxWith()
    add(batchOf([POISON]))
    expect(run(noPoison)).toHaveLength(1)
    expect([outcome(), outbox.hasOnlyRefused]).toEqual([{ sent: 0, pending: 1, dropped: {} }, true])
    add(batchOf(['fine']))
    run(noPoison)
    expect(outcome()).toEqual({ sent: 1, pending: 0, dropped: { rejected: 1 } })
    expect(sent.length).toBeLessThanOrEqual(4)
  })

  it('is retried after a minute if the queue is empty, and is not waited for', () => {
    const { add, takeAll, clock, outbox, state } = outboxWith()
    add(batchOf([POISON]))
    takeAll()[0]?.settle(responseOf(400))
    expect([outbox.wait(), outbox.hasOnlyRefused, state.phase]).toEqual([60_000, true, 'ok'])
    clock.pass(60_000)
    takeAll()[0]?.settle(responseOf(400))
    expect(outbox.wait()).toBe(60_000)
  })

  it('delays no other one, and is settled at the end of the process', () => {
    const { add, run, outbox, outcome } = outboxWith()
    add(batchOf([POISON]))
    run(noPoison)
    add(batchOf(['fine']))
    outbox.end()
    run(noPoison)
    expect(outcome()).toEqual({ sent: 1, pending: 0, dropped: { rejected: 1 } })
  })

  it('at the end of the process is lost with the reason of the refusal', () => {
    const { add, run, outbox, outcome, ledger } = outboxWith()
    add(batchOf([POISON]))
    run(noPoison)
    outbox.end()
    expect([outbox.wait(), outbox.take()]).toEqual([undefined, undefined])
    outbox.close(GAVE_UP)
    ledger.close(0)
    expect(outcome().dropped).toEqual({ shutdown: 1 })
    expect(log.lines('it answered 400: bad span. 1 span is lost.')).toHaveLength(1)
  })

  it('is delivered if the endpoint accepts it later', () => {
    const { add, run, outcome, clock, outbox } = outboxWith()
    add(batchOf([POISON]))
    run(noPoison)
    clock.pass(outbox.wait() ?? 0)
    for (let next = outbox.take(); next; next = outbox.take()) next.settle(taken)
    expect(outcome()).toEqual({ sent: 1, pending: 0, dropped: {} })
  })
})

describe('an endpoint that refuses everything as it is', () => {
  const refusing: Endpoint = () => responseOf(400, 'I am not what you think')

  it('is retried with growing pauses after about twenty requests, and nothing is lost', () => {
    const { add, run, outcome, state, sent, missing } = outboxWith()
    add(...Array.from({ length: 4 }, () => batchOf(names(100))))
    run(refusing, () => state.phase === 'paused')
    expect(sent.length).toBeGreaterThanOrEqual(20)
    // Those that were under way by then.
    expect(sent.length).toBeLessThanOrEqual(23)
    expect([outcome(), missing()]).toEqual([{ sent: 0, pending: 400, dropped: {} }, 0])
    const requests = sent.length
    run(refusing, () => sent.length >= requests + 20)
    expect((sent.at(-1)?.at ?? 0) - (sent.at(-2)?.at ?? 0)).toBeGreaterThan(5_000)
    expect(outcome()).toEqual({ sent: 0, pending: 400, dropped: {} })
    expect(log.lines()).toEqual([])
  })

  it('does not increase memory: queued batches stay compressed', () => {
    const { add, run, sent, budget } = outboxWith({ compressed: true })
    add(...Array.from({ length: 30 }, () => inEncoding(batchOf(names(100)), true, PROTOBUF)))
    const before = budget.used
    run(refusing, () => sent.length === 30)
    expect(budget.used).toBe(before)
  })

  it('and then accepts some receives later batches soon', () => {
    const { add, run, outcome, clock, state } = outboxWith()
    add(batchOf(names(512).map((name, at) => (at < 64 ? POISON : name))))
    run(noPoison, () => state.phase === 'paused')
    const [at, { sent }] = [clock.now(), outcome()]
    add(batchOf(['good']))
    run(noPoison, () => outcome().sent > sent)
    expect(clock.now() - at).toBeLessThan(11_000)
  })

  it('receives everything once it is repaired', () => {
    const { add, run, outcome, state, budget } = outboxWith()
    add(batchOf(names(100)), batchOf(names(7)))
    run(refusing, () => state.phase === 'paused')
    run(() => taken)
    expect([outcome(), budget.used]).toEqual([{ sent: 107, pending: 0, dropped: {} }, 0])
  })
})

describe('a batch that is too large (413)', () => {
  /** Spans of so many bytes each. */
  function sized(bytes: number, count: number): SealedBatch {
    const spans = names(count).map((name) => plainSpan(name, { attributes: { text: 'x'.repeat(bytes) } }))
    const resource = plainSpan('').resource
    const body = requestOf(...spans.map((span) => ({ ...span, resource })))
    return batchOf(names(count), { body, rawSize: body.length })
  }
  const upTo = (bytes: number): Endpoint =>
    unless((_, request) => request.body.length <= bytes, taken, responseOf(413, '<html>'))

  it('is split until it fits, and the limit is kept', () => {
    const { add, run, outcome, form, budget } = outboxWith()
    add(sized(1_000, 100))
    run(upTo(30_000))
    expect([outcome(), budget.used]).toEqual([{ sent: 100, pending: 0, dropped: {} }, 0])
    expect(form.maxRawSize).toBeLessThan(30_000)
    expect(form.maxRawSize).toBeGreaterThanOrEqual(16_384)
    expect(log.lines()).toEqual([])
  })

  it('reduces the limit of other batches, and does not count as a refusing endpoint', () => {
    const { add, run, outcome, verdicts, state } = outboxWith()
    add(...names(8).map(() => sized(9_000, 200)))
    run(upTo(100_000))
    expect(outcome()).toEqual({ sent: 1_600, pending: 0, dropped: {} })
    // 900 kB, 450 kB, 225 kB, 112 kB, each of them four times under way.
    expect(verdicts.filter((kind) => kind === 'split').length).toBeLessThanOrEqual(16)
    expect(state.phase).toBe('ok')
  })

  it('is split before it is sent once the limit is known', () => {
    const { add, run, sent, outcome } = outboxWith({ compressed: true })
    const spans = names(10).map((name) => plainSpan(name, { attributes: { bytes: randomBytes(190_000) as never } }))
    const { resource } = plainSpan('')
    const body = requestOf(...spans.map((span) => ({ ...span, resource })))
    add(batchOf(names(10), { body, rawSize: body.length }))
    run(() => taken)
    expect(outcome().sent).toBe(10)
    for (const { request } of sent) expect(request.body.length).toBeLessThanOrEqual(1_000_000)
  })

  it('loses a single span that is too large, with a warning', () => {
    const { add, run, outcome } = outboxWith()
    add(sized(100_000, 1), sized(10, 3))
    run(upTo(30_000))
    add(sized(10, 1))
    run(upTo(30_000))
    expect(outcome()).toEqual({ sent: 4, pending: 0, dropped: { too_large: 1 } })
    expect(log.lines()).toEqual(['svc: [ERROR] host:1 rejects a span as too large (413). 1 span is lost.'])
  })
})

describe('an endpoint that does not support compression (415)', () => {
  const plain: Endpoint = unless((_, { headers }) => !('content-encoding' in headers), taken, responseOf(415))

  it('receives plain requests from then on, and loses nothing', () => {
    const { add, run, outcome, form, state, budget } = outboxWith({ compressed: true })
    add(...names(8).map((name) => inEncoding(batchOf([name, name]), true, PROTOBUF)))
    const sent = run(plain)
    expect(refusals(sent, plain)).toHaveLength(4)
    expect(sent).toHaveLength(12)
    expect([outcome(), budget.used, state.phase]).toEqual([{ sent: 16, pending: 0, dropped: {} }, 0, 'ok'])
    expect(form.compressed).toBe(false)
    add(inEncoding(batchOf(['later']), true, PROTOBUF))
    expect(refusals(run(plain), plain)).toEqual([])
  })

  it('counts as refusing if it refuses plain requests, too', () => {
    const { add, run, outcome, state, sent } = outboxWith({ compressed: true })
    add(batchOf(['a']))
    run(
      () => responseOf(415),
      () => sent.length === 4,
    )
    expect([state.phase, outcome()]).toEqual(['refused', { sent: 0, pending: 1, dropped: {} }])
    expect((sent.at(-1)?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThan(2 * 60_000)
  })
})

describe('a runtime that cannot decompress', () => {
  const { getBuiltinModule } = process
  beforeEach(() => {
    const without = (id: string) => (id === 'node:zlib' ? undefined : getBuiltinModule(id as 'fs'))
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(without as never)
  })
  afterEach(() => void vi.restoreAllMocks())

  it.each([400, 413, 415])('loses only the spans of a batch that is refused with %d', (status) => {
    const batch = batchOf(names(4), { isCompressed: true })
    const { add, run, outcome } = outboxWith({ compressed: true })
    add(batch)
    run(() => responseOf(status))
    add(batchOf(['next']))
    run((_, { headers }) => (headers['content-encoding'] ? responseOf(status) : taken))
    const reason = status === 413 ? 'too_large' : 'rejected'
    expect(outcome()).toEqual({ sent: 1, pending: 0, dropped: { [reason]: 4 } })
  })
})

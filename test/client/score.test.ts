import { context, INVALID_SPAN_CONTEXT, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import type { ScoreBody } from '@svc/client'
import { startActiveObservation, startObservation } from '@svc/tracing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useBench } from './api-support.ts'

const bench = useBench()
const SCORES = 'POST /api/public/scores'
const TRACE = '0123456789abcdef0123456789abcdef'

/** Scores that reached the service since the test began. */
let before = 0
beforeEach(() => {
  before = bench.local.calls().length
})
const sent = () =>
  bench.local
    .calls()
    .slice(before)
    .filter(({ method, path }) => method === 'POST' && path === '/api/public/scores')
const bodies = () => sent().map(({ body }) => body as Record<string, unknown>[])

describe('a score', () => {
  it('is sent with an id, the environment and the time it was queued, and can be read back', async () => {
    const client = bench.client({ environment: 'staging' })
    const start = Date.now()
    client.score.create({
      traceId: TRACE,
      name: 'accuracy',
      value: 0.9,
      comment: 'good',
      metadata: { big: 12n, at: [1] },
    })
    const end = Date.now()
    await client.flush()
    const [score] = bodies()[0] ?? []
    expect(score).toMatchObject({
      name: 'accuracy',
      value: 0.9,
      traceId: TRACE,
      comment: 'good',
      environment: 'staging',
      metadata: { big: 12, at: [1] },
    })
    const queued = Date.parse(String(score?.timestamp))
    expect(queued).toBeGreaterThanOrEqual(start)
    expect(queued).toBeLessThanOrEqual(end)
    const id = String(score?.id)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const { data } = await client.api.scores.getMany({ id, traceId: TRACE, fields: 'subject' })
    expect(data).toMatchObject([{ id, name: 'accuracy', value: 0.9, subject: { kind: 'trace', id: TRACE } }])
    await client.api.scores.delete(id)
    expect((await client.api.scores.getMany({ id })).data).toEqual([])
  })

  it('keeps its id, environment and empty string value, and ignores later changes of its object', async () => {
    const client = bench.client({ environment: 'staging' })
    const body = { traceId: TRACE, id: 'mine', name: 'n', value: '', environment: 'test', metadata: { state: 'then' } }
    client.score.create(body)
    body.metadata.state = 'now'
    await client.flush()
    expect(bodies()).toMatchObject([[{ id: 'mine', value: '', environment: 'test', metadata: { state: 'then' } }]])
  })

  it.each<[what: string, data: unknown, line: RegExp]>([
    ['without a name', { value: 1 }, /score \(without a name\) is dropped: its name is undefined, expected a string/],
    ['with an empty name', { name: '', value: 1 }, /score "" is dropped: its name is empty/],
    ['of NaN', { name: 'n', value: Number.NaN }, /score "n" is dropped: its value is NaN, expected a finite number/],
    ['of infinity', { name: 'n', value: Number.POSITIVE_INFINITY }, /its value is Infinity/],
    ['of true', { name: 'n', value: true }, /its value is of type boolean, expected a finite number or a string/],
    ['of null', { name: 'n', value: null }, /its value is null/],
    ['of nothing', { name: 'n', value: 1 }, /it has no target, expected one of traceId, sessionId and datasetRunId/],
    ['of an observation without its trace', { name: 'n', value: 1, observationId: 'o' }, /it has no target/],
    ['of an empty trace', { name: 'n', value: 1, traceId: '' }, /it has no target/],
    [
      'of two things',
      { name: 'n', value: 1, traceId: TRACE, sessionId: 's' },
      /it has traceId and sessionId, expected one of/,
    ],
    ['that is none', 'n', /a score is dropped: expected an object with name and value, got string/],
    ['that is nothing', undefined, /got undefined/],
    ['that is null', null, /got null/],
    [
      'with a getter that throws',
      {
        name: 'n',
        value: 1,
        get metadata() {
          throw new Error('no')
        },
      },
      /score.create failed: no/,
    ],
  ])('is dropped with a warning if it is invalid: %s', async (_, data, line) => {
    const client = bench.client()
    client.score.create(data as ScoreBody)
    await client.flush()
    expect(bench.logged()).toEqual([expect.stringMatching(line)])
    expect(bench.logged()[0]).toMatch(/^svc: \[ERROR\]/)
    expect(sent()).toEqual([])
  })

  it('keeps its metadata, where JSON has nothing like them: errors, cycles, bigints', async () => {
    const metadata: Record<string, unknown> = { error: new Error('m'), big: 10n }
    metadata.self = metadata
    const client = bench.client()
    client.score.create({ traceId: TRACE, name: 'n', value: 1, metadata })
    await client.flush()
    expect(bench.logged()).toEqual([])
    const stored = { error: { name: 'Error', message: 'm' }, big: 10, self: '[Circular]' }
    expect(bodies()).toMatchObject([[{ name: 'n', metadata: stored }]])
  })
})

describe('scores of observations', () => {
  beforeAll(() => {
    trace.setGlobalTracerProvider(new TracerProvider())
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  })
  afterAll(() => {
    trace.disable()
    context.disable()
  })

  it('have their trace and observation', async () => {
    const client = bench.client()
    const observation = startObservation('work')
    client.score.observation(observation, { name: 'of the observation', value: 1 })
    client.score.trace(observation, { name: 'of the trace', value: 1 })
    startActiveObservation('active', (active) => {
      client.score.activeObservation({ name: 'of the active observation', value: active.id })
      client.score.activeTrace({ name: 'of the active trace', value: active.traceId })
    })
    await client.flush()
    const { id, traceId } = observation
    const [ofObservation, ofTrace, ofActive, ofActiveTrace] = bodies().flat()
    expect(ofObservation).toMatchObject({ name: 'of the observation', traceId, observationId: id })
    expect(ofTrace).toMatchObject({ name: 'of the trace', traceId })
    expect(ofTrace).not.toHaveProperty('observationId')
    expect(ofActive?.observationId).toBe(ofActive?.value)
    expect(ofActiveTrace?.traceId).toBe(ofActiveTrace?.value)
  })

  it('are dropped with a warning if none is active or valid', async () => {
    const client = bench.client()
    client.score.activeObservation({ name: 'n', value: 1 })
    client.score.activeTrace({ name: 'n', value: 1 })
    client.score.observation({} as never, { name: 'n', value: 1 })
    client.score.observation(undefined as never, { name: 'n', value: 1 })
    client.score.trace(null as never, { name: 'n', value: 1 })
    client.score.trace({ otelSpan: trace.wrapSpanContext(INVALID_SPAN_CONTEXT) }, { name: 'n', value: 1 })
    expect(bench.logged()).toEqual([
      expect.stringMatching(/\[WARN\] score\.activeObservation does nothing, because no span is active/),
      expect.stringMatching(/\[WARN\] score\.activeTrace does nothing/),
      expect.stringMatching(/\[ERROR\] a score is dropped: score\.observation failed/),
      expect.stringMatching(/\[ERROR\] a score is dropped: score\.observation failed/),
      expect.stringMatching(/\[ERROR\] a score is dropped: score\.trace failed/),
      expect.stringMatching(/\[ERROR\] a score is dropped: score\.trace failed: nothing traces the observation/),
    ])
  })
})

it('scores without an active span are reported at most 20 times a minute', () => {
  const client = bench.client()
  for (let request = 0; request < 50; request += 1) client.score.activeTrace({ name: 'n', value: 1 })
  expect(bench.logged()).toHaveLength(20)
})

describe('the score queue', () => {
  it('sends requests of 100 at most', async () => {
    const client = bench.client({ flushAt: 10_000 })
    for (let n = 0; n < 250; n++) client.score.create({ traceId: TRACE, name: `n${n}`, value: n })
    await client.flush()
    expect(
      bodies()
        .map(({ length }) => length)
        .toSorted(),
    ).toEqual([100, 100, 50].toSorted())
    const values = bodies().flatMap((batch) => batch.map(({ value }) => Number(value)))
    expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, n) => n))
  })

  it('sends smaller batches if scores are large', async () => {
    const client = bench.client({ flushAt: 10_000 })
    // Three bytes each on the wire, where 1 MB is the most.
    const comment = '字'.repeat(160_000)
    for (let n = 0; n < 5; n++) client.score.create({ traceId: TRACE, name: `n${n}`, value: n, comment })
    await client.flush()
    expect(sent().map(({ status }) => status)).toEqual([202, 202, 202])
    expect(bench.logged()).toEqual([])
  })

  it('is sent when it has the configured number, without a flush', async () => {
    const client = bench.client({ flushAt: 3, flushInterval: 1_000 })
    const names = ['one', 'two', 'three'].map((name) => `enough: ${name}`)
    for (const name of names) client.score.create({ traceId: TRACE, name, value: 1 })
    await bench.local.waitFor(({ scores }) => names.every((name) => scores().some((score) => score.name === name)))
    expect(bodies()).toMatchObject([names.map((name) => ({ name }))])
  })

  it('is sent when its first score has waited for the interval', async () => {
    bench.client({ flushInterval: 0.01 }).score.create({ traceId: TRACE, name: 'impatient', value: 1 })
    await bench.local.waitFor(({ scores }) => scores().some(({ name }) => name === 'impatient'))
  })

  it('sends scores that are added while it sends, and a flush waits for them', async () => {
    const client = bench.client()
    let go = () => {}
    const { met } = bench.local.respond(SCORES, {
      until: new Promise<void>((resolve) => {
        go = resolve
      }),
    })
    client.score.create({ traceId: TRACE, name: 'first', value: 1 })
    const first = client.flush()
    await met
    client.score.create({ traceId: TRACE, name: 'meanwhile', value: 1 })
    const second = client.flush()
    go()
    await Promise.all([first, second])
    expect(bodies().map(([score]) => score?.name)).toEqual(['first', 'meanwhile'])
  })
})

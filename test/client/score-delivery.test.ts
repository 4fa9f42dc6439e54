import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useBench } from './api-support.ts'

const bench = useBench()
const SCORES = 'POST /api/public/scores'
const TRACE = '0123456789abcdef0123456789abcdef'

let before = 0
beforeEach(() => {
  before = bench.local.calls().length
})
const stored = (prefix: string) => bench.local.scores().filter(({ name }) => name.startsWith(prefix)).length
const sent = () => bench.local.calls().slice(before)
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const score = (n: number | string) => ({ traceId: TRACE, name: `n${n}`, value: 1 })

describe('a service that is unavailable', () => {
  it('receives every score when it is back', async () => {
    const away = bench.local.respond(SCORES, { drop: true, times: Number.POSITIVE_INFINITY })
    const client = bench.client({ flushInterval: 0.01 })
    for (const n of numbers(25)) client.score.create(score(`back-${n}`))
    await away.met
    await vi.waitFor(() => expect(client.score.health().state).toBe('paused'), 60_000)
    away.stop()
    await bench.local.waitFor(() => stored('nback-') === 25)
    expect(bench.logged()).toEqual([])
  })

  it('receives scores once each and in order, so that the last one of an id is kept', async () => {
    // As many as are under way at once.
    bench.local.respond(SCORES, { status: 503, body: {}, times: 4 })
    const client = bench.client({ flushAt: 2 })
    for (const n of numbers(112)) client.score.create({ ...score(n), id: `away-${n}` })
    client.score.create({ ...score('again'), id: 'away-7', value: 2 })
    await client.flush()
    const taken = sent().filter(({ status }) => status === 202)
    expect(taken.flatMap(({ body }) => (body as { id: string }[]).map(({ id }) => id))).toEqual([
      ...numbers(112).map((n) => `away-${n}`),
      'away-7',
    ])
    expect(bench.local.scores().find(({ id }) => id === 'away-7')?.value).toBe(2)
    expect(client.score.health()).toMatchObject({ state: 'ok', ended: 113, sent: 113, pending: 0, dropped: {} })
  })

  it('receives few requests for many scores', async () => {
    bench.local.respond(SCORES, { status: 503, body: {} })
    const client = bench.client({ flushAt: 1 })
    for (const n of numbers(500)) client.score.create(score(`piled-${n}`))
    await client.flush()
    expect(client.score.health()).toMatchObject({ sent: 500, pending: 0 })
    expect(sent().length).toBeLessThan(16)
  })

  it('loses scores beyond the queue limit and at the end, each reported with a count', async () => {
    const client = bench.client({ baseUrl: 'http://127.0.0.1:1', maxQueueBytes: 1_000 })
    for (const n of numbers(30)) client.score.create({ ...score(n), comment: 'x'.repeat(100) })
    const { dropped, pending } = client.score.health()
    expect(dropped.queue_full).toBe(30 - pending)
    await client.flush()
    expect(bench.logged()).toEqual([
      expect.stringMatching(/The export queue is full \(1000 bytes, SVC_OTEL_MAX_QUEUE_BYTES\).* 1 score is lost\.$/),
      expect.stringMatching(new RegExp(`The export queue is full .* ${29 - pending} scores are lost\\.$`)),
    ])
    await client.shutdown()
    expect(bench.logged()[2]).toMatch(new RegExp(`Cannot reach 127\\.0\\.0\\.1:1: .* ${pending} scores are lost\\.$`))
    expect(client.score.health()).toMatchObject({ pending: 0, dropped: { shutdown: pending } })
  })

  it('loses scores that are too old', async () => {
    const client = bench.client({ baseUrl: 'http://127.0.0.1:1', maxRetryAge: 0.01, flushInterval: 0.01 })
    client.score.create(score('old'))
    await vi.waitFor(() => expect(client.score.health().dropped).toEqual({ max_retry_age: 1 }), 60_000)
    await client.flush()
    expect(bench.logged()).toEqual([
      expect.stringMatching(/Scores are retried for 0\.01 s \(SVC_OTEL_MAX_RETRY_AGE\)\. 1 score is lost\.$/),
    ])
  })
})

describe('a service that refuses', () => {
  it('the keys keeps scores queued, and those lost at the end are reported with the reason', async () => {
    const client = bench.client({ secretKey: 'sk-wrong' })
    for (const n of numbers(3)) {
      client.score.create(score(n))
      await client.flush()
    }
    expect([bench.logged(), client.score.health()]).toMatchObject([[], { state: 'refused', pending: 3 }])
    await client.shutdown()
    expect(bench.logged()).toEqual([
      expect.stringMatching(/refuses the keys \(401.*\): check SVC_PUBLIC_KEY .* 3 scores are lost\.$/),
    ])
  })

  it('one score of a batch loses only that one', async () => {
    const server = createServer(async (request, response) => {
      const body = await text(request)
      response.writeHead(body.includes('"bad"') ? 400 : 202).end(body.includes('"bad"') ? 'not this one' : '{}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const client = bench.client({ baseUrl: `http://127.0.0.1:${port}`, flushAt: 1_000 })
    client.score.create(score('before'))
    await client.flush()
    for (const n of numbers(7)) client.score.create(n === 4 ? { ...score(n), name: 'bad' } : score(n))
    await client.flush()
    expect(client.score.health()).toMatchObject({ sent: 7, pending: 0, dropped: { rejected: 1 } })
    expect(bench.logged()).toEqual([
      expect.stringMatching(/did not accept a batch of scores: it answered 400: not this one\. 1 score is lost\.$/),
    ])
    server.close()
    server.closeAllConnections()
  })

  it.each([
    ['in its own words', { message: 'Invalid request data', error: [{ message: 'Expected object, received array' }] }],
    ['in any words', { message: 'no' }],
  ])('every batch, %s, is reported as too old, and scores stay queued', async (_, body) => {
    const planned = bench.local.respond(SCORES, { status: 400, body, times: 99 })
    const client = bench.client({ flushAt: 1_000 })
    for (const n of numbers(10)) client.score.create(score(n))
    await client.flush()
    expect(client.score.health()).toMatchObject({ state: 'refused', pending: 10, dropped: {} })
    await vi.waitFor(() => expect(bench.logged()).toHaveLength(1), 60_000)
    expect(bench.logged()[0]).toMatch(
      /refuses every batch of scores \(400: .*\): it has to be version 4\.59\.0 or later for version 6 of @svc\/client\. Scores wait \(10\)/,
    )
    planned.stop()
  })
})

describe('createAndWait', () => {
  it('resolves with the id when the service has stored the score', async () => {
    const client = bench.client({ flushAt: 1_000, flushInterval: 1_000 })
    expect(await client.score.createAndWait({ ...score('waited for'), id: 'mine' })).toEqual({ id: 'mine' })
    expect(bench.local.scores().some(({ id }) => id === 'mine')).toBe(true)
    const { id } = await client.score.createAndWait(score('another'))
    expect(bench.local.scores().some((each) => each.id === id)).toBe(true)
  })

  it('is sent after earlier queued scores', async () => {
    const client = bench.client({ flushAt: 1_000, flushInterval: 1_000 })
    client.score.create(score('queued'))
    await client.score.createAndWait(score('waited for'))
    await client.flush()
    expect(sent().map(({ body }) => (body as { name: string }[]).map(({ name }) => name))).toEqual([
      ['nqueued'],
      ['nwaited for'],
    ])
  })

  it.each<[what: string, data: unknown, message: string]>([
    ['without a name', { value: 1 }, 'its name is undefined, expected a string.'],
    [
      'without a target',
      { name: 'n', value: 1 },
      'it has no target, expected one of traceId, sessionId and datasetRunId.',
    ],
    ['that is none', null, 'expected an object with name and value, got null.'],
  ])('rejects a score %s', async (_, data, message) => {
    const waiting = bench.client().score.createAndWait(data as never)
    await expect(waiting).rejects.toMatchObject({
      name: 'SvcScoreError',
      message: `The score was not sent: ${message}`,
    })
    expect(bench.logged()).toEqual([])
  })

  it('rejects with the reason of the service', async () => {
    const client = bench.client()
    const waiting = client.score.createAndWait({ traceId: TRACE, name: 'bad', value: 'text', dataType: 'NUMERIC' })
    await expect(waiting).rejects.toThrow(/^The score was not taken: bad: \S/)
    bench.local.respond(SCORES, { status: 422, body: { message: 'not this one' } })
    await expect(client.score.createAndWait(score('refused'))).rejects.toThrow(/answered 422: .*not this one/)
    expect(client.score.health()).toMatchObject({ pending: 0, dropped: { rejected: 2 } })
  })

  it('rejects if the service is unavailable, and keeps the score queued', async () => {
    // It asks for more patience than any flush has, so that the first answer ends the waiting.
    bench.local.respond(SCORES, { status: 503, headers: { 'retry-after': '60' }, body: {} })
    const client = bench.client()
    await expect(client.score.createAndWait(score('later'))).rejects.toThrow(
      /^The score was not taken: .*503.* It is still queued, and tried again\.$/,
    )
    expect(client.score.health()).toMatchObject({ state: 'paused', pending: 1, dropped: {} })
  })

  it('rejects if the keys are refused', async () => {
    const client = bench.client({ secretKey: 'sk-wrong' })
    await expect(client.score.createAndWait(score('n'))).rejects.toThrow(/refuses the keys \(401/)
  })

  it('rejects if the queue is full, or keys are missing', async () => {
    const full = bench.client({ baseUrl: 'http://127.0.0.1:1', maxQueueBytes: 1 })
    full.score.create(score('first'))
    await expect(full.score.createAndWait(score('second'))).rejects.toThrow(
      'The score was not taken: the queue is full.',
    )
    const nowhere = bench.client({ baseUrl: 'nowhere', env: () => undefined })
    await expect(nowhere.score.createAndWait(score('n'))).rejects.toThrow(
      /the base URL is not valid\. Set SVC_BASE_URL\.$/,
    )
  })
})

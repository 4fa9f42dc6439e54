import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { logThrough } from '@svc/core/log'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { call } from '../../test/support/api.ts'
import { entry, span } from '../../test/support/span.ts'
import { answered } from '../http/answered.ts'
import { startLocal } from '../index.ts'
import { receivedSpan } from '../trace/otlp.ts'
import type { StoredScore } from './score.ts'
import { Store } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-local-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ALL = { sql: 'ORDER BY seq', values: [] }
const traceIds = (store: Store) =>
  store.traces.find({ sql: 'ORDER BY startTime DESC', values: [] }).map(({ traceId }) => traceId)
const SCORE: Omit<StoredScore, 'id'> = {
  ...{ traceId: null, observationId: null, sessionId: null, datasetRunId: null, metadata: null, queueId: null },
  ...{ text: null, dataType: 'NUMERIC', source: 'API', environment: 'default', configId: null, comment: null },
  ...{ name: 'n', number: 1, timestamp: 1, createdAt: 1, updatedAt: 1 },
}

it('a trace is found by each of its models, however many it calls', () => {
  const store = new Store()
  const names = Array.from({ length: 60 }, (_, at) => `model-${at}`)
  store.save(
    names.map((name, at) => {
      const attributes = { 'svc.observation.type': 'generation', 'svc.observation.model.name': name }
      return entry(span({ spanId: String(at + 1).padStart(16, '0'), attributes }))
    }),
    5,
  )
  expect(store.traces.find({ sql: '', values: [] })[0]?.models).toEqual(names)
})

it('the store returns every field of a saved span', () => {
  const store = new Store()
  const full = span({
    name: 'full',
    parentSpanId: 'a'.repeat(16),
    status: { code: 2, message: 'broken' },
    attributes: {
      'svc.observation.type': 'generation',
      'svc.observation.input': 'asked',
      'svc.observation.output': '{"a":1}',
      'svc.observation.model.name': 'gpt-5',
      'svc.observation.model.parameters': '{"temperature":1}',
      'svc.observation.usage_details': '{"input":1,"output":2}',
      'svc.observation.cost_details': '{"total":0.25}',
      'svc.observation.completion_start_time': '2023-11-14T22:13:20.250Z',
      'svc.observation.prompt.name': 'greeting',
      'svc.observation.prompt.version': 3,
      'svc.observation.metadata.a': '1',
      'svc.environment': 'prod',
      'svc.version': '1',
      'svc.release': 'r1',
      'user.id': 'ada',
      'session.id': 's1',
      'svc.trace.name': 'my trace',
      'svc.trace.tags': ['a', 'b'],
      'svc.trace.public': true,
    },
  })
  store.save([entry(full)], 5)
  expect(store.observations(ALL)).toEqual([{ ...entry(full).observation, createdAt: 5, updatedAt: 5 }])
  expect(store.spans().map((each) => receivedSpan(each))).toEqual([full])
  store.close()
})

it('a span that is saved again replaces the earlier one, and keeps its position', () => {
  const store = new Store()
  const [first, second] = [span({ name: 'first' }), span({ name: 'second' })]
  store.save([entry(first), entry(second)], 1)
  store.save([entry({ ...first, name: 'first, again' })], 2)
  expect(store.observations(ALL)).toMatchObject([
    { name: 'first, again', createdAt: 1, updatedAt: 2 },
    { name: 'second', createdAt: 1, updatedAt: 1 },
  ])
  store.close()
})

it('the store saves a batch completely or not at all', () => {
  const store = new Store()
  const broken = entry(span())
  Object.assign(broken.observation, { startTime: Number.NaN, metadata: { self: 1n } })
  expect(() => store.save([entry(span()), broken], 1)).toThrow()
  expect(store.count()).toBe(0)
  store.save([entry(span())], 1)
  expect(store.count()).toBe(1)
  store.close()
})

it('traces are stored beside their observations, and deleted with them', () => {
  const store = new Store()
  const started = [3, 1, 2].map((second) =>
    span({ traceId: `${second}`.repeat(32), startTimeUnixNano: `170000000${second}000000000` }),
  )
  store.save(started.map(entry), 1)
  expect(traceIds(store)).toEqual(['3', '2', '1'].map((digit) => digit.repeat(32)))
  store.deleteTraces(['2'.repeat(32), 'unknown'])
  expect(traceIds(store)).toEqual(['3', '1'].map((digit) => digit.repeat(32)))
  expect(store.count()).toBe(2)
  store.close()
})

it('an in-memory store deletes the oldest traces when it is full', () => {
  const store = new Store(undefined, { maxBytes: 1024 * 1024 })
  const traces = Array.from({ length: 100 }, (_, at) => at.toString(16).padStart(32, 'a'))
  for (const traceId of traces) {
    store.save([entry(span({ traceId, attributes: { 'svc.observation.input': 'x'.repeat(20_000) } }))], 1)
  }
  const kept = traceIds(store)
  expect(kept.length).toBeGreaterThan(5)
  expect(kept.length).toBeLessThan(50)
  expect(new Set(kept)).toEqual(new Set(traces.slice(-kept.length)))
  store.close()
})

it('a full in-memory store deletes scores without a trace as well, and refuses records that must be kept', () => {
  const store = new Store(undefined, { maxBytes: 1024 * 1024 })
  const score = (id: number) => ({ ...SCORE, id: `${id}`, sessionId: 's', comment: 'x'.repeat(20_000) })
  for (let id = 0; id < 100; id += 1) store.write(() => store.scores.put(score(id)))
  const kept = store.scores.find().map(({ id }) => Number(id))
  expect(kept.at(-1)).toBe(99)
  expect(kept.length).toBeLessThan(50)
  const dataset = { id: 'd', name: 'large', description: 'x'.repeat(2_000_000), createdAt: 1, updatedAt: 1 }
  const full = { ...dataset, metadata: null, inputSchema: null, expectedOutputSchema: null }
  expect(() => store.write(() => store.datasets.put(full))).toThrow('are full: start svc-local with --db FILE')
  expect(store.datasets.count()).toBe(0)
  expect(store.scores.count()).toBe(kept.length)
  store.close()
})

it('traces beyond the maximum age are deleted with their observations and scores', () => {
  const store = new Store(undefined, { keepMs: 60_000 })
  const at = (seconds: number) => `${1_700_000_000 + seconds}000000000`
  const trace = (digit: string, seconds: number) =>
    entry(span({ traceId: digit.repeat(32), startTimeUnixNano: at(seconds), endTimeUnixNano: at(seconds) }))
  store.save([trace('1', 0), trace('2', 90)], 1_700_000_001_000)
  store.write(() => {
    for (const digit of ['1', '2']) store.scores.put({ ...SCORE, id: digit, traceId: digit.repeat(32) })
  })
  store.save([trace('3', 100)], 1_700_000_100_000)
  expect(traceIds(store)).toEqual(['3'.repeat(32), '2'.repeat(32)])
  expect(store.count()).toBe(2)
  expect(store.scores.find().map(({ id }) => id)).toEqual(['2'])
  store.close()
})

describe('a database file', () => {
  it('that is locked by another program causes a 503, and works afterwards', async () => {
    const file = join(folder, 'locked.db')
    const local = await startLocal({ db: file })
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    const create = () => call(local, 'POST /v2/datasets', { name: 'set' })
    expect(await create()).toMatchObject({ status: 503, body: { message: 'The database is locked' } })
    other.exec('COMMIT')
    other.close()
    expect((await create()).status).toBe(200)
    await local.close()
  })
  it('that the disk has no more space for causes a 503 and one line, keeps what it has, and works afterwards', async () => {
    const logged: string[] = []
    logThrough((_, message) => logged.push(message))
    onTestFinished(() => logThrough(undefined))
    const store = new Store(join(folder, 'full.db'))
    store.save([entry(span({ spanId: '1'.repeat(16) }))], 1)
    const limitPages = (pages: number) => store.query({ sql: `PRAGMA max_page_count = ${pages}`, values: [] })
    const large = entry(span({ spanId: '2'.repeat(16), attributes: { 'svc.observation.input': 'x'.repeat(1e6) } }))
    const save = () => answered('POST /traces', async () => store.save([large], 2))
    // SQLite answers as on a full disk, and rolls back by itself.
    limitPages(1)
    await save()
    const { status, body } = (await save()) ?? {}
    expect([status, JSON.parse(String(body))]).toEqual([
      503,
      { message: 'No space is left on the disk', error: 'database or disk is full' },
    ])
    expect(logged).toEqual([
      'No space is left on the disk for the data of svc-local, so writes are refused. Free some space.',
    ])
    limitPages(1e9)
    expect(store.count()).toBe(1)
    expect(await save()).toBeUndefined()
    expect(store.count()).toBe(2)
    store.close()
  })

  it('keeps the data', () => {
    const file = join(folder, 'kept.db')
    const first = new Store(file)
    const saved = span()
    first.save([entry(saved)], 1)
    first.close()
    const second = new Store(file)
    expect(second.spans().map((each) => receivedSpan(each))).toEqual([saved])
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    second.close()
  })

  it.each([
    [4, 'its tables have version 4, and this program knows version 3: update @svc/local, or name another file'],
    [2, 'its tables have version 2, and this program knows version 3: name another file'],
  ])('of version %d is refused and not changed', async (version, message) => {
    const file = join(folder, `version-${version}.db`)
    const database = new DatabaseSync(file)
    database.exec(`PRAGMA user_version = ${version}`)
    await expect(startLocal({ db: file })).rejects.toThrow(`cannot use the database ${file}: ${message}.`)
    expect(database.prepare('SELECT count(*) AS n FROM sqlite_master').get()?.n).toBe(0)
    database.close()
  })
})

it('the words of long texts are collected a few at a time', () => {
  const store = new Store()
  const traces = Array.from({ length: 40 }, (_, at) => at.toString(16).padStart(32, 'a'))
  for (const [at, traceId] of traces.entries()) {
    const input = `word${at} ${'x'.repeat(20_000)}`
    store.save([entry(span({ traceId, attributes: { 'svc.observation.input': input } }))], 1)
  }
  let turns = 1
  while (store.search.collect(50)) turns += 1
  expect(turns).toBeGreaterThan(3)
  expect(turns).toBeLessThan(8)
  expect(traces.filter((_, at) => store.search.traces(`word${at} `).length > 0).length).toBe(40)
  store.close()
})

it('a search finds the beginning of an id, a key of the metadata, and a part of a word', () => {
  const store = new Store()
  const attributes = { 'svc.observation.input': 'Überraschungsei', 'svc.observation.metadata.orderNumber': '7' }
  const [traceId, spanId] = ['a'.repeat(32), '0123456789abcdef']
  store.save([entry(span({ traceId, spanId, attributes }))], 1)
  store.search.collect(1)
  for (const text of ['0123456', 'ordernumber', 'erNumb', 'raschung']) {
    expect([text, store.search.traces(text)]).toEqual([text, [traceId]])
  }
  expect(store.search.traces('nothing')).toEqual([])
  store.close()
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refused } from '../../../test/support/api.ts'
import { basic, otlpJson, post } from '../../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../../index.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

const TRACE = 'a'.repeat(32)
const score = (more: object = {}) => ({ name: 'quality', value: 1, traceId: TRACE, ...more })
const create = (body: unknown, headers?: Record<string, string>) => call(local, 'POST /scores', body, headers)
const stored = (id: string) => local.scores().find((score) => score.id === id)

describe('a list of scores', () => {
  it('that are all valid is accepted with 202, without ids', async () => {
    const before = Date.now()
    const { status, body } = await create([score({ id: 'one' }), score({ id: 'two', value: 'good' })])
    expect([status, body]).toEqual([202, { message: 'Accepted' }])
    expect(stored('one')).toEqual({
      id: 'one',
      name: 'quality',
      value: 1,
      dataType: 'NUMERIC',
      traceId: TRACE,
      observationId: null,
      sessionId: null,
      datasetRunId: null,
      comment: null,
      metadata: null,
      environment: 'default',
      source: 'API',
      configId: null,
      queueId: null,
      timestamp: expect.any(String),
    })
    expect(Date.parse(stored('one')?.timestamp ?? '')).toBeGreaterThanOrEqual(before)
    expect(stored('two')).toMatchObject({ value: 'good', dataType: 'CATEGORICAL' })
  })

  it('with invalid ones returns 207, and stores the others', async () => {
    const bad = [score({ name: '' }), score({ value: null }), 7]
    const { status, body } = await create([score({ id: 'kept' }), ...bad])
    expect([status, body]).toEqual([
      207,
      {
        accepted: 1,
        rejected: 3,
        errors: [
          { message: '(no name): name: expected a text that is not empty' },
          { message: 'quality: value: expected a finite number or a text' },
          { message: expect.stringMatching(/^\(no name\): expected a JSON object/) },
        ],
      },
    ])
    expect(stored('kept')).toBeDefined()
  })

  it.each([0, 101])('with %d scores is refused', async (length) => {
    const { status, body } = await create(Array(length).fill(score()))
    expect({ status, body }).toEqual(refused('', `expected 1 to 100 scores, got ${length}`))
  })

  it('with 100 scores is accepted', async () => {
    const batch = Array.from({ length: 100 }, (_, at) => score({ id: `of-100-${at}` }))
    expect(await create(batch)).toMatchObject({ status: 202 })
    expect(local.scores().filter(({ id }) => id.startsWith('of-100-'))).toHaveLength(100)
  })
})

describe('a single score', () => {
  it('returns its id', async () => {
    expect(await create(score({ id: 'mine' }))).toMatchObject({ status: 200, body: { id: 'mine' } })
    const { body } = await create(score())
    expect(stored(body.id)).toMatchObject({ name: 'quality' })
  })

  it('is refused if it is invalid, naming every wrong field', async () => {
    const { status, body } = await create({ traceId: 5, comment: {} })
    expect([status, body.error.map(({ path }: { path: string[] }) => path[0])]).toEqual([
      400,
      ['name', 'value', 'traceId', 'comment'],
    ])
  })
})

it('a score sent again under its id replaces the earlier one, and keeps its position in listings', async () => {
  await create([score({ id: 'again', value: 1, comment: 'first' }), score({ id: 'after' })])
  await create([score({ id: 'again', value: 2 })])
  expect(stored('again')).toMatchObject({ value: 2, comment: null })
  const ids = local.scores().map(({ id }) => id)
  expect(ids.indexOf('again')).toBeLessThan(ids.indexOf('after'))
})

it('a score keeps all its fields', async () => {
  const full = {
    ...score({ id: 'full', observationId: 'b'.repeat(16) }),
    comment: 'well said',
    metadata: { by: ['ada'], nested: { a: 1 } },
    environment: 'prod',
    queueId: 'q1',
    configId: 'c1',
    source: 'ANNOTATION',
    timestamp: '2026-01-31T12:00:00.250Z',
  }
  await create([full])
  expect(stored('full')).toMatchObject(full)
})

describe('the data type of a score decides which values are valid:', () => {
  it.each([
    [{ dataType: 'NUMERIC', value: 0.5 }],
    [{ dataType: 'BOOLEAN', value: 0 }],
    [{ dataType: 'CATEGORICAL', value: '' }],
    [{ dataType: 'TEXT', value: 'x'.repeat(500) }],
    [{ dataType: 'CORRECTION', value: '' }],
    [{ value: '' }],
    [{ source: 'API' }],
    [{ source: 'ANNOTATION', configId: 'c1' }],
    [{ source: 'ANNOTATION', dataType: 'CORRECTION', value: 'better' }],
    [{ traceId: undefined, sessionId: 's1' }],
    [{ traceId: undefined, datasetRunId: 'e1' }],
    [{ environment: 'NOT a name' }],
    [{ id: null, comment: null, metadata: null, sessionId: null, timestamp: null }],
  ])('%j is accepted', async (more) => {
    expect(await create(score(more))).toMatchObject({ status: 200 })
  })

  it.each([
    [{ dataType: 'NUMERIC', value: '1' }, 'a NUMERIC score needs a number'],
    [{ dataType: 'BOOLEAN', value: 2 }, 'a BOOLEAN score needs 0 or 1'],
    [{ dataType: 'CATEGORICAL', value: 1 }, 'a CATEGORICAL score needs a text'],
    [{ dataType: 'TEXT', value: '' }, 'a TEXT score needs a text of 1 to 500 characters'],
    [{ dataType: 'TEXT', value: 'x'.repeat(501) }, 'a TEXT score needs a text of 1 to 500 characters'],
    [{ dataType: 'CORRECTION', value: 1 }, 'a CORRECTION needs a text'],
    [{ dataType: 'CORRECTION', value: 'x', configId: 'c1' }, 'a CORRECTION has no configId'],
    [{ source: 'ANNOTATION' }, 'the source ANNOTATION needs a configId'],
    [{ source: 'EVAL' }, expect.stringContaining('the source EVAL is for evaluators')],
    [{ traceId: undefined }, expect.stringContaining('exactly one of traceId')],
    [{ sessionId: 's1' }, expect.stringContaining('exactly one of traceId')],
    [{ traceId: undefined, sessionId: 's1', observationId: 'o1' }, 'an observationId needs its traceId'],
  ])('%j is refused', async (more, message) => {
    expect(await create(score(more))).toMatchObject(refused('', message))
  })

  it.each([
    ['dataType', 'NOTHING'],
    ['source', 'SOMEBODY'],
    ['metadata', []],
    ['timestamp', 'yesterday'],
    ['value', true],
  ])('%s %j is refused', async (field, value) => {
    expect(await create(score({ [field]: value }))).toMatchObject(refused(field, expect.any(String)))
  })

  it('a number too large for a double is refused', async () => {
    const text = JSON.stringify(score()).replace('"value":1', '"value":1e999')
    expect(await create(text)).toMatchObject(refused('value', 'expected a finite number or a text'))
  })
})

it('a score body that is not JSON, nested too deep or too large is refused', async () => {
  expect(await create('{"name":')).toMatchObject(refused('', expect.stringContaining('the body is not JSON')))
  expect(await create(`${'['.repeat(600)}${']'.repeat(600)}`)).toMatchObject({ status: 400 })
  expect(await create(' '.repeat(5 * 1024 * 1024))).toMatchObject({ status: 413 })
})

describe('the public key alone', () => {
  const alone = () => ({ authorization: `Bearer ${local.publicKey}` })

  it('may send scores, as a web page does', async () => {
    expect(await create(score({ id: 'of a page' }), alone())).toMatchObject({ status: 200, body: { id: 'of a page' } })
  })

  it('may not read or delete them', async () => {
    expect(await call(local, 'GET /v3/scores', undefined, alone())).toMatchObject({ status: 403 })
    expect(await call(local, 'DELETE /scores/x', undefined, alone())).toMatchObject({ status: 403 })
  })

  it('must be correct', async () => {
    expect(await create(score(), { authorization: 'Bearer pk-other' })).toMatchObject({ status: 401 })
    expect(await create(score(), { authorization: basic(local.publicKey, 'wrong') })).toMatchObject({ status: 401 })
  })

  it('is allowed for other origins by the preflight response, with the requested headers', async () => {
    const headers = {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-svc-public-key',
    }
    const response = await fetch(`${local.url}/api/public/scores`, { method: 'OPTIONS', headers })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect(response.headers.get('access-control-allow-headers')).toBe(headers['access-control-request-headers'])
    expect(response.headers.get('access-control-allow-methods')).toContain('POST')
  })
})

it('the scores of a trace are deleted with it', async () => {
  const traceId = 'd'.repeat(32)
  await post(local, otlpJson([{ traceId, spanId: '1'.repeat(16) }]), { 'content-type': 'application/json' })
  await create([score({ id: 'doomed', traceId })])
  await call(local, 'DELETE /traces', { traceIds: [traceId] })
  expect(stored('doomed')).toBeUndefined()
})

it('waitForScores resolves when scores arrive', async () => {
  const fresh = await startLocal()
  const waiting = fresh.waitForScores(2)
  await call(fresh, 'POST /scores', [score()])
  await call(fresh, 'POST /scores', [score({ name: 'second' })])
  expect((await waiting).map(({ name }) => name)).toEqual(['quality', 'second'])
  await fresh.close()
})

it('a score of a configuration has its name, whatever it is called', async () => {
  const { body } = await call(local, 'POST /score-configs', { name: 'mood', dataType: 'NUMERIC' })
  const { id: configId } = body as { readonly id: string }
  await create([score({ id: 'named', name: 'other', configId })])
  expect(stored('named')).toMatchObject({ name: 'mood', configId })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refused } from '../../test/support/api.ts'
import { type LocalService, startLocal } from '../index.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal({ token: false })
})
afterAll(() => local.close())

const SINCE = 'fromStartTime=2026-01-01T00:00:00Z'
const WHOLE = 'expected a whole number from 1 to 100'
const DATE = 'expected a date, such as 2026-01-31T12:00:00Z'
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))
const condition = { type: 'string', column: 'name', operator: '=', value: 'x' }

describe('a query parameter that does not fit is refused with its name and what is expected', () => {
  it.each([
    ['a whole number', '/v3/scores', 'limit', 'many', WHOLE],
    ['a whole number', '/v3/scores', 'limit', '1.5', WHOLE],
    ['a whole number', '/v3/scores', 'limit', '0', WHOLE],
    ['a whole number', '/v3/scores', 'limit', '101', WHOLE],
    ['a page', '/v2/datasets', 'page', '-1', 'expected a whole number from 1 to 1000000'],
    ['a version', '/v2/prompts/greeting', 'version', 'new', `expected a whole number from 1 to ${2 ** 53 - 1}`],
    ['a number', '/v3/scores', 'valueMin', 'low', 'expected a number'],
    ['a number', '/v3/scores', 'valueMax', 'Infinity', 'expected a number'],
    ['a date', '/v3/scores', 'fromTimestamp', 'yesterday', DATE],
    ['a date', '/v2/observations', 'toStartTime', '2026-13-01', DATE],
    ['a date', '/dataset-items', 'version', 'latest', DATE],
    ['a required date', '/experiments', 'fromStartTime', '', 'is required: from when on experiments are listed'],
    ['a word', '/v2/observations', 'level', 'error', 'expected DEBUG, DEFAULT, WARNING, ERROR'],
    ['a word', '/comments', 'objectType', 'THING', 'expected TRACE, OBSERVATION, SESSION, PROMPT'],
    ['true or false', '/v2/observations', 'parseIoAsJson', 'yes', 'expected true, false'],
    ['a list', '/v3/scores', 'source', 'API,X', '1: expected ANNOTATION, API, EVAL'],
    [
      'field groups',
      '/v3/scores',
      'fields',
      'subject,all',
      '1: unknown field group all, expected details, subject, annotation',
    ],
    ['a cursor', '/v2/observations', 'cursor', 'WzFd', 'not a cursor of this listing'],
    ['a cursor', '/v3/scores', 'cursor', 'nonsense', 'not a cursor of this listing'],
    ['a filter', '/v2/observations', 'filter', '[', 'expected JSON'],
    ['a filter', '/v2/observations', 'filter', '{}', 'expected a JSON array of conditions'],
    ['a filter', '/v2/observations', 'filter', '[null]', '0: expected a JSON object'],
    ['a filter', '/v2/observations', 'filter', json([condition, { type: 'string' }]), '1: column: expected a text'],
    ['a filter', '/v2/observations', 'filter', json([{ ...condition, column: 'nothing' }]), 'unknown column nothing'],
    [
      'a filter',
      `/experiments?${SINCE}`,
      'filter',
      json([{ ...condition, value: 1 }]),
      'a value that does not fit type string',
    ],
    ['JSON', '/v2/metrics', 'query', '', 'is required: a JSON object with view and metrics'],
    ['JSON', '/v2/metrics', 'query', 'count', 'expected JSON'],
  ])('%s: GET %s %s=%s', async (_, path, name, value, message) => {
    const separator = path.includes('?') ? '&' : '?'
    expect(await call(local, `GET ${path}${separator}${name}=${value}`)).toMatchObject(refused(name, message))
  })

  it.each([
    ['level', 'FATAL', '0: expected DEBUG, DEFAULT, WARNING, ERROR'],
    ['minLatency', 'long', 'expected a number'],
    ['from', 'rubbish', DATE],
    ['sort', 'constructor', 'expected time, latency, cost, tokens, observations, name, or score: and a name'],
    ['order', 'up', 'expected asc, desc'],
    ['limit', '501', 'expected a whole number from 1 to 500'],
  ])('on the page: %s=%s', async (name, value, message) => {
    const response = await fetch(`${local.url}/viewer/traces?${name}=${value}`)
    expect({ status: response.status, body: await response.json() }).toMatchObject(refused(name, message))
  })
})

it.each(['/viewer/traces', '/viewer/users', '/viewer/sessions', '/viewer/sessions/s1'])(
  'an offset beyond all rows is no error: %s',
  async (path) => {
    for (const offset of ['1e300', '99999999999999999999', '-1', 'x']) {
      expect((await fetch(`${local.url}${path}?offset=${offset}`)).status).toBe(200)
    }
  },
)

it.each(['name', 'level', 'tag', 'model', 'score'])(
  'the list of traces is filtered by up to 100 of %s',
  async (name) => {
    const list = async (count: number) => {
      const values = Array.from({ length: count }, (_, at) => `${name}=${name === 'level' ? 'ERROR' : at}`)
      const response = await fetch(`${local.url}/viewer/traces?${values.join('&')}`)
      return { status: response.status, body: await response.json() }
    }
    expect(await list(100)).toEqual({ status: 200, body: { data: [], total: 0 } })
    expect(await list(101)).toMatchObject(refused(name, 'expected at most 100 values'))
  },
)

it('each parameter that does not fit has an issue of its own', async () => {
  const { body } = await call(local, 'GET /v3/scores?limit=x&fromTimestamp=x&source=x')
  expect(body.error.map(({ path }: { path: string[] }) => path[0])).toEqual(['source', 'fromTimestamp', 'limit'])
})

it.each([
  '/v2/observations?limit=&cursor=&fields=&filter=&level=&fromStartTime=&parseIoAsJson=&environment=',
  '/v3/scores?limit=&source=,&valueMin=&fromTimestamp=&fields=,',
  '/v2/observations?limit=2e0&limit=none&fields=%20basic%20,io',
  '/v3/scores?constructor=x&unknown=1',
])('empty and unknown parameters count as left out, and the first value of several counts: %s', async (path) => {
  expect(await call(local, `GET ${path}`)).toMatchObject({ status: 200, body: { data: [] } })
})

it('parameters that contradict each other are refused', async () => {
  const refusals = [
    ['/v3/scores?valueMin=1&dataType=BOOLEAN', 'dataType', 'valueMin and valueMax need dataType=NUMERIC'],
    ['/v3/scores?value=1', 'value', 'a value needs one dataType: NUMERIC, BOOLEAN or CATEGORICAL'],
    ['/v3/scores?value=1,x&dataType=NUMERIC', 'value', '1: expected a number'],
    ['/v3/scores?observationId=o', 'observationId', 'an observationId needs its traceId'],
    ['/v2/prompts/greeting?version=1&label=x', 'label', 'a version and a label cannot be requested together'],
    ['/comments?objectId=o', 'objectId', 'an objectId needs its objectType'],
  ] as const
  for (const [path, name, message] of refusals) {
    expect(await call(local, `GET ${path}`)).toMatchObject(refused(name, message))
  }
})

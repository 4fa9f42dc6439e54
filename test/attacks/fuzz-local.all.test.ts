import { gzipSync } from 'node:zlib'
import { type LocalService, startLocal } from '@svc/local'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../packages/local/src/routes.ts'
import { basic, ENCODERS, post, record } from '../../packages/local/test/support/sdk.ts'
import { fuzz, mutated, mutations } from './fuzz.ts'

const SECRET = 'a-key-of-no-known-form-6b1f'
let local: LocalService
beforeAll(async () => {
  local = await startLocal({ secretKey: SECRET, token: false })
})
afterAll(() => local.close())

/** Refused or accepted, but never an error of the service, which answers without its key and goes on. */
async function expectAnswer(response: Response): Promise<void> {
  const body = await response.text()
  expect([response.status, body]).not.toEqual([500, expect.anything()])
  expect(response.status).toBeLessThan(600)
  expect(body).not.toContain(SECRET)
}

const spans = record((start) => {
  const root = start('root', { 'svc.observation.type': 'agent', 'svc.observation.input': '{"a":[1,2,{"b":null}]}' })
  const attributes = { 'gen_ai.request.model': 'gpt-5', 'svc.observation.usage_details': '{"input":1}' }
  start('chat', { ...attributes, 'svc.observation.output': '[{"role":"assistant","content":"ja"}]' }, root).end()
  root.end()
})

/** JSON in the place of one value of another. */
function replaced(value: unknown, path: readonly number[], by: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined || typeof value !== 'object' || value === null) return by
  const entries = Object.entries(value)
  const [key] = entries[first % Math.max(1, entries.length)] ?? []
  if (key === undefined) return by
  const changed = entries.map(([name, each]) => [name, name === key ? replaced(each, rest, by) : each] as const)
  return Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed)
}

const json = fc.jsonValue({ maxDepth: 4 })
const odd = fc.oneof(
  json,
  fc.constantFrom('__proto__', 'constructor', 1e308, -1, '9'.repeat(400), '\u0000', '\ud800', {}),
)

describe('the intake answers', () => {
  it.each(ENCODERS)(
    'a body of $contentType whose bytes were changed, compressed or not',
    async (encoder) => {
      const body = encoder.encode(spans)
      await fc.assert(
        fc.asyncProperty(mutations, fc.constantFrom('', 'gzip', 'within gzip'), async (changes, how) => {
          const changed = how === 'within gzip' ? gzipSync(mutated(body, changes)) : undefined
          const bytes = changed ?? mutated(how === '' ? body : gzipSync(body), changes)
          const headers = { 'content-type': encoder.contentType, ...(how !== '' && { 'content-encoding': 'gzip' }) }
          await expectAnswer(await post(local, bytes, headers))
        }),
        fuzz(500),
      )
    },
    120_000,
  )

  it('JSON with any value in the place of another', async () => {
    const body: unknown = JSON.parse(ENCODERS[1].encode(spans).toString())
    const places = fc.array(fc.nat(12), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(places, odd, async (path, by) => {
        const headers = { 'content-type': 'application/json' }
        await expectAnswer(await post(local, JSON.stringify(replaced(body, path, by)), headers))
      }),
      fuzz(500),
    )
  }, 120_000)
})

const NAMES = [
  ...['page', 'limit', 'cursor', 'filter', 'orderBy', 'fields', 'name', 'version', 'label', 'tag', 'query', 'search'],
  ...['fromTimestamp', 'toTimestamp', 'fromStartTime', 'toStartTime', 'userId', 'sessionId', 'traceId', 'environment'],
  ...['datasetName', 'runName', 'level', 'type', 'value', 'operator', 'scoreIds', 'parseIoAsJson', 'isRootObservation'],
  ...[
    'dataType',
    'source',
    'configId',
    'queueId',
    'objectType',
    'objectId',
    'id',
    'baseline',
    'experimentId',
    'status',
  ],
]
const KEYS = [
  ...['name', 'type', 'prompt', 'labels', 'tags', 'config', 'input', 'expectedOutput', 'metadata', 'datasetName', 'id'],
  ...['value', 'traceId', 'dataType', 'comment', 'objectType', 'objectId', 'content', 'projectId', 'modelName'],
  ...['matchPattern', 'unit', 'inputPrice', 'categories', 'scoreConfigIds', 'traceIds', 'newLabels', 'contentType'],
  ...['contentLength', 'sha256Hash', 'field', 'status', 'minValue', 'maxValue', '__proto__', 'constructor'],
]
const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '1e9',
    '2026-01-01T00:00:00Z',
    'NaN',
    '%',
    '../x',
    "'; --",
    'a*b',
    '[{"column":"name"}]',
  ),
  json.map((value) => JSON.stringify(value)),
)
const query = fc.array(fc.tuple(fc.constantFrom(...NAMES), text), { maxLength: 5 })
const body = fc.oneof(
  fc.dictionary(fc.constantFrom(...KEYS), fc.oneof(odd, text), { maxKeys: 8 }),
  odd,
  fc.constant(undefined),
)
const known = fc.constantFrom('a', 'constructor', '__proto__', '%00', '%2e%2e', 'ä', '0'.repeat(32))

describe('the API answers', () => {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  // A stream of changes has no end.
  const routes = ROUTES.filter(({ path }) => path !== '/viewer/live')

  it.each(routes)(
    '$method $path with any query and body',
    async ({ method, path }) => {
      await fc.assert(
        fc.asyncProperty(query, body, known, text, fc.boolean(), async (pairs, content, one, other, isKnown) => {
          const place = path.replaceAll(/\{\w+\}/g, () =>
            isKnown ? one : encodeURIComponent(other.toWellFormed()) || 'a',
          )
          const hasBody = method !== 'GET' && content !== undefined
          const response = await fetch(`${local.url}${place}?${new URLSearchParams(pairs)}`, {
            method,
            redirect: 'manual',
            headers: { ...headers, authorization: basic(local.publicKey, SECRET) },
            ...(hasBody && { body: JSON.stringify(content) }),
          })
          await expectAnswer(response)
        }),
        fuzz(25),
      )
    },
    60_000,
  )
})

it('after all of that the service still takes and shows a trace', async () => {
  const traceId = 'c'.repeat(32)
  const span = { traceId, spanId: 'c'.repeat(16), name: 'last', startTimeUnixNano: '1', endTimeUnixNano: '2' }
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  expect((await post(local, body, { 'content-type': 'application/json' })).status).toBe(200)
  expect(local.traces().map((trace) => trace.traceId)).toContain(traceId)
})

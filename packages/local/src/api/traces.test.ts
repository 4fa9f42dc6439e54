import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { basic, otlpJson, post } from '../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../index.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(32))

beforeEach(async () => {
  const spans = [A, B, C].map((traceId) => ({ traceId, spanId: '1'.repeat(16) }))
  await post(local, otlpJson(spans), { 'content-type': 'application/json' })
})

async function remove(path: string, body?: string) {
  const authorization = basic(local.publicKey, local.secretKey)
  const headers = { authorization, 'content-type': 'application/json' }
  const options = { method: 'DELETE', headers, ...(body === undefined ? {} : { body }) }
  const response = await fetch(`${local.url}/api/public/traces${path}`, options)
  return [response.status, await response.json()]
}

const left = () => new Set(local.traces().map(({ traceId }) => traceId))

it('a trace is deleted by its id', async () => {
  expect(await remove(`/${A}`)).toEqual([200, { message: 'Trace deleted successfully' }])
  expect(left()).toEqual(new Set([B, C]))
})

it('traces are deleted by a list of ids, which may contain unknown ones', async () => {
  expect(await remove('', JSON.stringify({ traceIds: [A, C, 'unknown'] }))).toEqual([
    200,
    { message: 'Traces deleted successfully' },
  ])
  expect(left()).toEqual(new Set([B]))
})

it.each([undefined, '', 'no JSON', '[]', '{}', '{"traceIds":[]}', '{"traceIds":"x"}', '{"traceIds":[1]}'])(
  'a delete request without a list of trace ids is refused: %s',
  async (body) => {
    const issue = { path: ['traceIds'], message: 'expected a list of at least one trace id' }
    expect(await remove('', body)).toEqual([400, { message: 'Invalid request data', error: [issue] }])
    expect(left()).toEqual(new Set([A, B, C]))
  },
)

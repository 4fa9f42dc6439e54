import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { basic, ENCODERS, otlpJson, post, record } from '../../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../../index.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

const TRACES = '/api/public/otel/v1/traces'
const JSON_TYPE = { 'content-type': 'application/json' }
const one = () => record((start) => start('hello').end())
const [{ encode }] = ENCODERS

describe.each(ENCODERS)('an OTLP request of $contentType', ({ contentType, encode }) => {
  it('returns an empty export response in the same encoding', async () => {
    const spans = one()
    const response = await post(local, encode(spans), { 'content-type': `${contentType}; charset=utf-8` })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(contentType)
    expect(await response.text()).toBe(contentType === 'application/json' ? '{}' : '')
    expect(local.traces().map(({ traceId }) => traceId)).toContain(spans[0]?.spanContext().traceId)
  })

  it('may be compressed', async () => {
    const spans = one()
    const headers = { 'content-type': contentType, 'content-encoding': 'gzip' }
    expect((await post(local, gzipSync(encode(spans)), headers)).status).toBe(200)
    expect(local.traces().map(({ traceId }) => traceId)).toContain(spans[0]?.spanContext().traceId)
  })

  it('may be empty', async () => {
    const response = await post(local, contentType === 'application/json' ? '{}' : '', { 'content-type': contentType })
    expect(response.status).toBe(200)
  })
})

describe('invalid OTLP input is refused with a reason, and nothing is stored:', () => {
  let before: number
  beforeEach(() => {
    before = local.count()
  })

  const refusal = async (response: Response) => {
    expect(local.count()).toBe(before)
    const { message, error } = (await response.json()) as { message: string; error: unknown }
    return [response.status, message, error]
  }

  it.each(['text/plain', 'application/protobuf', ''])('content type "%s"', async (type) => {
    const headers = { authorization: basic(local.publicKey, local.secretKey), 'content-type': type }
    const response = await fetch(local.url + TRACES, { method: 'POST', headers, body: Buffer.from(encode(one())) })
    expect(await refusal(response)).toEqual([400, 'Invalid content type', expect.any(String)])
  })

  it('a truncated protobuf', async () => {
    const [status, message, error] = await refusal(await post(local, encode(one()).subarray(0, 50)))
    expect([status, message]).toEqual([400, 'Failed to parse OTel Protobuf Trace'])
    expect(error).toMatch(/truncated/)
  })

  it('invalid JSON', async () => {
    expect(await refusal(await post(local, '{"resourceSpans":', JSON_TYPE))).toEqual([
      400,
      'Failed to parse OTel JSON Trace',
      expect.stringMatching(/JSON/),
    ])
  })

  it('a batch with one span without ids', async () => {
    const good = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
    const [status, , error] = await refusal(await post(local, otlpJson([good, { name: 'log' }]), JSON_TYPE))
    expect(status).toBe(400)
    expect(error).toMatch(/span "log" has no usable traceId.*logs/)
  })

  it('invalid gzip', async () => {
    const response = await post(local, encode(one()), { 'content-encoding': 'gzip' })
    expect(await refusal(response)).toEqual([400, 'Failed to decompress request body', expect.any(String)])
  })

  it('truncated gzip', async () => {
    const body = gzipSync(encode(one()))
    const response = await post(local, body.subarray(0, body.length - 12), { 'content-encoding': 'gzip' })
    expect(await refusal(response)).toEqual([400, 'Failed to decompress request body', expect.any(String)])
  })

  it('a compression other than gzip', async () => {
    const response = await post(local, encode(one()), { 'content-encoding': 'br' })
    expect(await refusal(response)).toEqual([400, 'Failed to decompress request body', expect.stringMatching(/gzip/)])
  })

  it('a body beyond the limit', async () => {
    // The client may see the connection close before it has read the answer.
    const status = await post(local, Buffer.alloc(33 * 1024 * 1024)).then(
      ({ status }) => status,
      () => 'cut off',
    )
    expect([413, 'cut off']).toContain(status)
    expect(local.count()).toBe(before)
  })

  it.each([['x-svc-ingestion-version'], ['x_svc_ingestion_version']])('%s', async (header) => {
    for (const version of ['5', 'four', '4.5']) {
      expect((await refusal(await post(local, encode(one()), { [header]: version })))[0]).toBe(400)
    }
  })
})

it.each(['3', '4', ' 4 '])('ingestion version "%s" is accepted', async (version) => {
  expect((await post(local, encode(one()), { 'x-svc-ingestion-version': version })).status).toBe(200)
})

it('metrics are accepted and discarded', async () => {
  const before = local.count()
  expect((await post(local, 'anything', {}, '/api/public/otel/v1/metrics')).status).toBe(200)
  expect(local.count()).toBe(before)
})

it('logs are not accepted', async () => {
  const response = await post(local, '', {}, '/api/public/otel/v1/logs')
  expect([response.status, await response.json()]).toEqual([
    404,
    { message: 'No route /api/public/otel/v1/logs', error: 'SvcNotFoundError' },
  ])
})

it('a text with many braces is accepted', async () => {
  const text = `\\"${'{'.repeat(500_000)}\\"`
  const attributes = [{ key: 'svc.observation.input', value: { stringValue: text } }]
  const span = { traceId: 'b'.repeat(32), spanId: '1'.repeat(16), name: 'braces', attributes }
  expect((await post(local, otlpJson([span]), JSON_TYPE)).status).toBe(200)
})

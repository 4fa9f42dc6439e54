import type { Attributes } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { type Arrived, type Reply, startIntake } from '../../test/support/intake.ts'
import { KEYS, tracing } from '../../test/support/tracing.ts'
import type { SvcSpanProcessorParams } from '../params.ts'

const log = catchLog()
const PNG = Buffer.from('not really a picture').toString('base64')
const URI = `data:image/png;base64,${PNG}`
const ID = '_hpKsftjRwNr6tc1l9XSlY'
const TAG = `@@@svcMedia:type=image/png|id=${ID}|source=base64_data_uri@@@`

/** The service and, on the same port, the storage it points at. */
const service =
  (storage: Reply = (response) => response.writeHead(200).end()): Reply =>
  (response, arrived, index) => {
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (arrived.path === '/api/public/media') {
      json(201, { mediaId: ID, uploadUrl: `http://${arrived.headers.host}/storage?signed=1` })
    } else if (arrived.path.startsWith('/storage')) storage(response, arrived, index)
    else json(200, {})
  }

const sentTo = (requests: readonly Arrived[], method: string, path: string) =>
  requests.filter((request) => request.method === method && request.path.startsWith(path))

async function run(reply: Reply, attributes: Attributes, params: SvcSpanProcessorParams = {}) {
  await using intake = await startIntake(reply)
  const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, ...params })
  const span = tracer().startSpan('s', { attributes })
  span.end()
  await processor.shutdown()
  const { requests, spans } = intake
  return { requests, sent: spans[0]?.attributes ?? {}, context: span.spanContext() }
}

describe('media in a span', () => {
  it('is replaced by its tag, registered, uploaded and reported', async () => {
    const input = JSON.stringify({ image: URI, again: URI })
    const { requests, sent, context } = await run(service(), { 'svc.observation.input': input })
    expect(sent['svc.observation.input']).toBe(JSON.stringify({ image: TAG, again: TAG }))

    const [registered, ...more] = sentTo(requests, 'POST', '/api/public/media')
    expect(more).toEqual([])
    expect(JSON.parse(String(registered?.body))).toEqual({
      traceId: context.traceId,
      observationId: context.spanId,
      field: 'input',
      contentType: 'image/png',
      contentLength: 20,
      sha256Hash: '/hpKsftjRwNr6tc1l9XSlYsmrAuW9oyi9tzuU6UPKX4=',
    })
    expect(registered?.headers).toMatchObject({ authorization: `Basic ${btoa('pk-test:sk-test')}` })
    expect(registered?.headers).not.toHaveProperty('x-svc-ingestion-version')

    const [stored] = sentTo(requests, 'PUT', '/storage?signed=1')
    expect(String(stored?.body)).toBe('not really a picture')
    expect(stored?.headers).toMatchObject({
      'content-type': 'image/png',
      'x-amz-checksum-sha256': '/hpKsftjRwNr6tc1l9XSlYsmrAuW9oyi9tzuU6UPKX4=',
      'x-ms-blob-type': 'BlockBlob',
    })
    expect(stored?.headers).not.toHaveProperty('authorization')

    const [reported] = sentTo(requests, 'PATCH', `/api/public/media/${ID}`)
    expect(JSON.parse(String(reported?.body))).toEqual({
      uploadedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      uploadHttpStatus: 200,
      uploadTimeMs: expect.any(Number),
    })
  })

  it.each([
    ['svc.observation.output', 'output'],
    ['svc.trace.input', 'input'],
    ['svc.observation.metadata.picture', 'metadata'],
    ['svc.trace.metadata.picture', 'metadata'],
    ['gen_ai.output.messages', 'output'],
  ])('%s belongs to the %s', async (key, field) => {
    const { requests, sent } = await run(service(), { [key]: JSON.stringify(URI) })
    expect(sent[key]).toBe(JSON.stringify(TAG))
    expect(JSON.parse(String(sentTo(requests, 'POST', '/api/public/media')[0]?.body))).toMatchObject({ field })
  })

  it('in a message part of any scope is tagged as bytes', async () => {
    const messages = JSON.stringify([{ parts: [{ type: 'blob', mime_type: 'image/png', content: PNG }] }])
    const { sent } = await run(service(), { 'gen_ai.input.messages': messages })
    expect(sent['gen_ai.input.messages']).toBe(messages.replace(PNG, TAG.replace('base64_data_uri', 'bytes')))
  })

  it('is uploaded once if a blob is a data URI', async () => {
    const messages = JSON.stringify([{ parts: [{ type: 'blob', mime_type: 'image/png', content: URI }] }])
    const { sent } = await run(service(), { 'gen_ai.input.messages': messages })
    expect(sent['gen_ai.input.messages']).toBe(messages.replace(URI, TAG))
  })

  it('is extracted after masking', async () => {
    const mask = () => `masked ${URI}`
    const { sent } = await run(service(), { 'svc.observation.input': 'secret' }, { mask })
    expect(sent['svc.observation.input']).toBe(`masked ${TAG}`)
  })

  it('stays in the span if uploads are switched off', async () => {
    const { requests, sent } = await run(service(), { 'svc.observation.input': URI }, { mediaUploadEnabled: false })
    expect(sent['svc.observation.input']).toBe(URI)
    expect(sentTo(requests, 'POST', '/api/public/media')).toEqual([])
  })

  it.each([
    ['in attributes that are neither input nor output nor metadata', { 'http.url': URI }],
    ['of a type that the service does not store', { 'svc.observation.input': URI.replace('image/png', 'x/y') }],
    ['in messages that are not JSON', { 'gen_ai.input.messages': '"blob" and no more' }],
  ])('stays in the span %s', async (_, attributes) => {
    const { sent } = await run(service(), attributes)
    expect(sent).toMatchObject(attributes)
  })
})

describe('a media upload', () => {
  it('is skipped if the service has the bytes', async () => {
    const known: Reply = (response, { path }) =>
      response.writeHead(path === '/api/public/media' ? 201 : 200).end(JSON.stringify({ mediaId: ID, uploadUrl: null }))
    const { requests, sent } = await run(known, { 'svc.observation.input': URI })
    expect(sent['svc.observation.input']).toBe(TAG)
    expect(requests.map(({ method }) => method).sort()).toEqual(['POST', 'POST'])
  })

  it('is given up if the service returns another id', async () => {
    const wrong: Reply = (response, { path, headers }) =>
      response
        .writeHead(path === '/api/public/media' ? 201 : 200)
        .end(JSON.stringify({ mediaId: 'another', uploadUrl: `http://${headers.host}/storage` }))
    const { requests } = await run(wrong, { 'svc.observation.input': URI })
    expect(sentTo(requests, 'PUT', '/')).toEqual([])
    expect(log.lines(`Media ${ID} was not uploaded: the service returned another id, another.`)).toHaveLength(1)
  })

  it('that the storage refuses is sent once and reported', async () => {
    const refusing: Reply = (response) => response.writeHead(403).end('the signature has expired')
    const { requests } = await run(service(refusing), { 'svc.observation.input': URI })
    expect(sentTo(requests, 'PUT', '/storage')).toHaveLength(1)
    const [reported] = sentTo(requests, 'PATCH', '/')
    expect(JSON.parse(String(reported?.body))).toMatchObject({
      uploadHttpStatus: 403,
      uploadHttpError: 'the signature has expired',
    })
    expect(log.lines('was not uploaded: the storage answered 403: the signature has expired.')).toHaveLength(1)
  })

  it('is retried if the storage is unavailable', async () => {
    let tries = 0
    const flaky: Reply = (response) => response.writeHead(tries++ === 0 ? 500 : 201).end()
    // The pause before the second attempt takes much of the usual two seconds.
    const { requests } = await run(service(flaky), { 'svc.observation.input': URI }, { shutdownTimeout: 30 })
    expect(sentTo(requests, 'PUT', '/storage')).toHaveLength(2)
    expect(JSON.parse(String(sentTo(requests, 'PATCH', '/')[0]?.body))).toMatchObject({ uploadHttpStatus: 201 })
    expect(log.lines()).toEqual([])
  })

  it('that the service refuses is reported, and the span still arrives', async () => {
    const refusing: Reply = (response, { path }) =>
      response.writeHead(path === '/api/public/media' ? 400 : 200).end('{"message":"no"}')
    const { sent } = await run(refusing, { 'svc.observation.input': URI })
    expect(sent['svc.observation.input']).toBe(TAG)
    expect(log.lines('was not uploaded')).toEqual([expect.stringMatching(/127\.0\.0\.1:\d+ answered 400/)])
  })

  it('does not delay its span', async () => {
    const held: (() => void)[] = []
    await using intake = await startIntake((response, { path }) => {
      if (path === '/api/public/media') held.push(() => response.writeHead(201).end(JSON.stringify({ mediaId: ID })))
      else response.writeHead(200).end()
    })
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, exportMode: 'immediate' })
    tracer()
      .startSpan('s', { attributes: { 'svc.observation.input': URI } })
      .end()
    await intake.arrived(2)
    expect(intake.spans).toHaveLength(1)
    for (const release of held) release()
    await processor.forceFlush()
  })
})

import { createServer, type Socket } from 'node:net'
import {
  AccessDeniedError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  MethodNotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
  SvcAPIError,
  SvcAPITimeoutError,
  SvcClient,
  TooManyRequestsError,
  UnauthorizedError,
  UnprocessableContentError,
} from '@svc/client'
import { environmentOf } from '@svc/core/environment'
import { describe, expect, it } from 'vitest'
import { useBench } from './api-support.ts'

const bench = useBench()
const DATASETS = 'GET /api/public/v2/datasets'

const reasonOf = (call: Promise<unknown>): Promise<SvcAPIError> =>
  call.then(
    () => Promise.reject(new Error('it went well')),
    (reason) => reason,
  )

describe('an unsuccessful API response', () => {
  it.each([
    [400, BadRequestError],
    [401, UnauthorizedError],
    [403, AccessDeniedError],
    [404, NotFoundError],
    [405, MethodNotAllowedError],
    [409, ConflictError],
    [422, UnprocessableContentError],
    [429, TooManyRequestsError],
    [500, InternalServerError],
    [503, ServiceUnavailableError],
    [418, SvcAPIError],
  ])('%i has a class, a status, a body, and a message with both', async (status, ErrorClass) => {
    bench.local.respond(DATASETS, { status, body: { message: 'because' } })
    const error = await reasonOf(bench.client().api.datasets.list({}, { maxRetries: 0 }))
    expect(error).toBeInstanceOf(ErrorClass)
    expect(error).toBeInstanceOf(SvcAPIError)
    expect(error).toMatchObject({ name: ErrorClass.name, statusCode: status, body: { message: 'because' } })
    expect(error.message).toBe(`${DATASETS} answered ${status}: {"message":"because"}`)
    expect(error.rawResponse?.headers.get('content-type')).toMatch(/json/)
  })

  it('has a body that is not JSON as text', async () => {
    bench.local.respond(DATASETS, { status: 502, body: '<h1>Bad Gateway</h1>' })
    const error = await reasonOf(bench.client().api.datasets.list({}, { maxRetries: 0 }))
    expect(error).toMatchObject({ statusCode: 502, body: '<h1>Bad Gateway</h1>' })
  })

  it('is an UnauthorizedError for wrong keys', async () => {
    const { api } = bench.client({ secretKey: 'sk-wrong' })
    expect(await reasonOf(api.projects.get())).toBeInstanceOf(UnauthorizedError)
  })

  it('is an error with the body if its JSON is malformed', async () => {
    bench.local.respond(DATASETS, { status: 200, body: '{"data": [' })
    const error = await reasonOf(bench.client().api.datasets.list())
    expect(error).toMatchObject({ name: 'SvcAPIError', statusCode: 200, body: '{"data": [' })
    expect(error.message).toBe(`${DATASETS} answered 200, but not with JSON: {"data": [`)
  })

  it('has an undefined body if it is empty', async () => {
    bench.local.respond('DELETE /api/public/models/{id}', { status: 204 })
    expect(await bench.client().api.models.delete('m')).toBeUndefined()
  })

  it('is not followed if it is a redirect, which would forward the keys', async () => {
    bench.local.respond('POST /api/public/v2/datasets', {
      status: 301,
      headers: { location: 'https://elsewhere.example/' },
    })
    const error = await reasonOf(bench.client().api.datasets.create({ name: 'd' }))
    expect(error.message).toMatch(/redirected to https:\/\/elsewhere\.example\/.*set SVC_BASE_URL/)
  })
})

describe('a missing API response', () => {
  it('within the timeout is an error with the name of the call', async () => {
    bench.local.respond(DATASETS, { until: new Promise(() => {}) })
    const error = await reasonOf(bench.client().api.datasets.list({}, { timeoutInSeconds: 0.05 }))
    expect(error).toBeInstanceOf(SvcAPITimeoutError)
    expect(error.message).toBe(`Timeout exceeded when calling ${DATASETS}.`)
  })

  it('of a body that never ends is a timeout as well', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"data":')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const client = bench.client({ baseUrl: `http://127.0.0.1:${port}` })
    expect(await reasonOf(client.api.datasets.list({}, { timeoutInSeconds: 0.1 }))).toBeInstanceOf(SvcAPITimeoutError)
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it('of an unreachable service has the reason, and is not retried', async () => {
    const client = bench.client({ baseUrl: 'http://127.0.0.1:1' })
    const error = await reasonOf(client.api.projects.get())
    expect(error).toMatchObject({ name: 'SvcAPIError', statusCode: undefined })
    expect(error.message).toMatch(/^GET \/api\/public\/projects did not reach 127\.0\.0\.1:1: ./)
  })

  it('of a closed connection is an error', async () => {
    const planned = bench.local.respond(DATASETS, { drop: true })
    expect(await reasonOf(bench.client().api.datasets.list())).toBeInstanceOf(SvcAPIError)
    expect(planned.count()).toBe(1)
  })

  it("is not awaited after the caller aborts, and rejects with the caller's reason", async () => {
    const { met } = bench.local.respond(DATASETS, { until: new Promise(() => {}) })
    const controller = new AbortController()
    const call = reasonOf(bench.client().api.datasets.list({}, { abortSignal: controller.signal }))
    await met
    const reason = new Error('changed my mind')
    controller.abort(reason)
    expect(await call).toBe(reason)
  })
})

describe('an invalid API call', () => {
  it('with an empty id is refused before anything is sent', async () => {
    const { api } = bench.client()
    const calls = bench.local.calls().length
    for (const id of ['', '.', '..', undefined, null, {}, Number.NaN, 'half a \ud83d']) {
      await expect(api.trace.delete(id as string)).rejects.toThrow(
        'svc: DELETE /api/public/traces/{traceId} needs {traceId}: got ',
      )
    }
    expect(bench.local.calls()).toHaveLength(calls)
  })

  it('with an invalid header names it without its value', async () => {
    const headers = { 'X-Key': 'secret\nvalue' }
    expect((await reasonOf(bench.client().api.projects.get({}, { headers }))).message).toBe(
      'GET /api/public/projects was not sent: the value of the header x-key cannot be sent.',
    )
    expect(bench.client({ additionalHeaders: headers })).toBeDefined()
    expect(bench.logged().join()).not.toContain('secret')
  })

  it('with an invalid base URL rejects with a clear message', async () => {
    const client = new SvcClient({ env: environmentOf({ ...bench.local.env, SVC_BASE_URL: 'nonsense' }) })
    const error = await reasonOf(client.api.projects.get())
    expect(error.message).toBe('GET /api/public/projects was not sent: the base URL is not valid. Set SVC_BASE_URL.')
    expect(bench.logged()).toEqual([expect.stringMatching(/^svc: \[WARN\] SVC_BASE_URL="nonsense" is not usable/)])
  })

  it('with invalid timeouts and retries uses the defaults', async () => {
    const options = { timeoutInSeconds: Number.NaN, maxRetries: -1 }
    expect(await bench.client().api.health.health({}, options)).toMatchObject({ status: 'OK' })
  })
})

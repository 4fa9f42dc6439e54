import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call } from '../../test/support/api.ts'
import { otlpJson, post } from '../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../index.ts'

let local: LocalService
beforeEach(async () => {
  local = await startLocal()
})
afterEach(() => local.close())

const projects = () => call(local, 'GET /projects')

describe('a planned reply', () => {
  it('is sent once, then the service responds again', async () => {
    const planned = local.respond('GET /api/public/projects', {
      status: 429,
      headers: { 'retry-after': '1' },
      body: { message: 'slow down' },
    })
    const refused = await projects()
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '1',
      { message: 'slow down' },
    ])
    expect(await projects()).toMatchObject({ status: 200 })
    expect(planned.count()).toBe(1)
  })

  it('is sent `times` times, or until it is stopped', async () => {
    local.respond('/api/public/projects', { status: 500, times: 2 })
    const statuses = [await projects(), await projects(), await projects()].map(({ status }) => status)
    expect(statuses).toEqual([500, 500, 200])
    const always = local.respond('/api/public/projects', { status: 503, times: Number.POSITIVE_INFINITY })
    expect([(await projects()).status, (await projects()).status]).toEqual([503, 503])
    always.stop()
    expect([(await projects()).status, always.count()]).toEqual([200, 2])
  })

  it('matches only its method and path, and no preflight request', async () => {
    local.respond('POST /api/public/projects', { status: 500 })
    local.respond('/api/public/scores/{scoreId}', { status: 500 })
    const preflight = await fetch(`${local.url}/api/public/scores/x`, { method: 'OPTIONS' })
    expect([(await projects()).status, preflight.status]).toEqual([200, 204])
    expect((await call(local, 'DELETE /scores/x')).status).toBe(500)
  })

  it('may be something other than JSON', async () => {
    local.respond('/api/public/projects', { status: 207, body: '{"accep' })
    const response = await fetch(`${local.url}/api/public/projects`)
    expect([response.headers.get('content-type'), await response.text()]).toEqual([
      'application/json; charset=utf-8',
      '{"accep',
    ])
  })

  it('without a status delays the request, and then passes it on', async () => {
    let release = () => {}
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    const planned = local.respond('/api/public/projects', { until })
    const held = projects()
    await planned.met
    release()
    expect(await held).toMatchObject({ status: 200 })
  })

  it('may close the connection', async () => {
    local.respond('/api/public/projects', { drop: true })
    await expect(projects()).rejects.toThrow()
    expect(local.calls().at(-1)).toMatchObject({ path: '/api/public/projects', status: 0 })
  })

  it('that never comes ends when the service closes', async () => {
    const planned = local.respond('/api/public/projects', { until: new Promise(() => {}) })
    const hanging = projects().catch((error: unknown) => error)
    await planned.met
    await local.close()
    expect(await hanging).toBeInstanceOf(Error)
  })

  it('also replaces responses of the intake', async () => {
    local.respond('POST /api/public/otel/v1/traces', { status: 503 })
    const body = otlpJson([{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }])
    expect((await post(local, body, { 'content-type': 'application/json' })).status).toBe(503)
    expect(local.requests()).toMatchObject([{ status: 503, decodedBytes: body.length }])
    expect(local.count()).toBe(0)
  })

  it('requires a path', () => {
    expect(() => local.respond('scores', {})).toThrow('respond("scores"): expected a path')
  })
})

describe('recorded API calls', () => {
  it('have method, path, query, headers, body and status, and exclude the intake', async () => {
    await call(local, 'DELETE /scores/a%2Fb?x=1&x=2&y=3', { a: 1 }, { 'x-mine': 'yes' })
    await call(local, 'GET /nothing', undefined)
    await post(local, otlpJson([]), { 'content-type': 'application/json' })
    expect(local.calls()).toMatchObject([
      {
        method: 'DELETE',
        path: '/api/public/scores/a%2Fb',
        query: { x: ['1', '2'], y: '3' },
        headers: { 'x-mine': 'yes' },
        status: 202,
      },
      { method: 'GET', path: '/api/public/nothing', query: {}, body: undefined, status: 404 },
    ])
  })

  it('keep a request body, also of a refused request', async () => {
    await call(local, 'POST /scores', [{ name: '' }])
    await call(local, 'POST /scores', 'no JSON')
    expect(local.calls().map(({ body }) => body)).toEqual([[{ name: '' }], 'no JSON'])
  })

  it('keep no request body above 1 MiB', async () => {
    await call(local, 'POST /scores', ' '.repeat(1024 * 1024 + 1))
    expect(local.calls()).toMatchObject([{ status: 400, body: undefined }])
  })
})

import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basic } from '../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../index.ts'

let local: LocalService
let own: LocalService
let open: LocalService
beforeAll(async () => {
  local = await startLocal()
  own = await startLocal({ publicKey: 'pk-own', secretKey: 'sk-own' })
  open = await startLocal({ host: '0.0.0.0' })
})
afterAll(() => Promise.all([local, own, open].map((service) => service.close())))

// fetch sets Host itself; this does not.
async function respondTo(service: LocalService, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(service.url + path, { method, headers }).end()
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

describe('project routes', () => {
  it('require the keys', async () => {
    const { status, body } = await respondTo(local, '/api/public/projects')
    expect([status, JSON.parse(body)]).toEqual([401, { message: 'No authorization header', error: 'Unauthorized' }])
  })

  it('accept the keys', async () => {
    const { status, body } = await respondTo(local, '/api/public/projects', { authorization: keysOf(local) })
    expect([status, JSON.parse(body)]).toEqual([
      200,
      { data: [{ id: 'svc-local', name: 'local', organization: { id: 'svc-local', name: 'local' }, metadata: {} }] },
    ])
  })

  it('accept the keys of the command line', async () => {
    expect((await respondTo(own, '/api/public/projects', { authorization: basic('pk-own', 'sk-own') })).status).toBe(
      200,
    )
    expect((await respondTo(own, '/api/public/projects', { authorization: keysOf(local) })).status).toBe(401)
  })

  it('refuse other methods and name the allowed ones', async () => {
    const { status, headers, body } = await respondTo(local, '/api/public/otel/v1/traces', {}, 'GET')
    expect([status, headers.allow, JSON.parse(body)]).toEqual([
      405,
      'POST',
      { message: 'Method not allowed', error: 'GET /api/public/otel/v1/traces' },
    ])
  })

  it('that do not exist respond with 404', async () => {
    const { status, body } = await respondTo(local, '/api/public/nothing')
    expect([status, JSON.parse(body)]).toEqual([
      404,
      { message: 'No route /api/public/nothing', error: 'SvcNotFoundError' },
    ])
  })
})

it('the health route needs no keys', async () => {
  const { status, body } = await respondTo(local, '/api/public/health')
  expect([status, JSON.parse(body)]).toEqual([200, { status: 'OK', version: expect.stringMatching(/^\d+\.\d+\.\d+/) }])
})

describe('pages of the viewer', () => {
  it('need no keys on loopback', async () => {
    expect((await respondTo(local, '/')).status).toBe(200)
  })

  it('require the keys beyond loopback, which a browser prompts for', async () => {
    const { status, headers } = await respondTo(open, '/')
    expect([status, headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Basic /)])
    expect((await respondTo(open, '/', { authorization: keysOf(open) })).status).toBe(200)
  })
})

it.each(['/', '/api/public/health'])('a request for another host is refused: %s', async (path) => {
  const { status, body } = await respondTo(local, path, { host: 'evil.example' })
  expect([status, JSON.parse(body).message]).toEqual([403, 'The Host header names another host'])
})

describe('pages of other origins', () => {
  const from = async (service: LocalService, origin: string, method = 'GET') =>
    (await respondTo(service, '/api/public/health', { origin }, method)).headers

  it('may read the API with keys, without browser credentials', async () => {
    const headers = await from(own, 'https://app.example')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('may not use the well-known default keys, unless the origin is on this machine', async () => {
    expect(await from(local, 'https://app.example')).not.toHaveProperty('access-control-allow-origin')
    expect(await from(local, 'http://localhost:5173')).toHaveProperty(
      'access-control-allow-origin',
      'http://localhost:5173',
    )
  })

  it('receive a CORS preflight response', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-headers': 'authorization, x-svc-public-key',
    }
    const answer = await respondTo(own, '/api/public/otel/v1/traces', headers, 'OPTIONS')
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization, x-svc-public-key',
      'access-control-allow-methods': expect.stringContaining('POST'),
    })
  })

  it('never receive a page of the viewer', async () => {
    const { headers } = await respondTo(own, '/', { origin: 'https://app.example' })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

const keysOf = ({ publicKey, secretKey }: LocalService) => basic(publicKey, secretKey)

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { logThrough } from '@svc/core/log'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { call } from '../../test/support/api.ts'
import { opened } from '../../test/support/page.ts'
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
  it.each(['/', '/traces/any', '/viewer/traces', '/viewer/live', '/viewer/about', '/project/p/traces/t'])(
    'are closed to who has not opened the printed URL, be it with the keys: %s',
    async (path) => {
      for (const service of [local, own, open]) {
        for (const headers of [{}, { authorization: keysOf(service) }, { 'sec-fetch-site': 'same-origin' }]) {
          const { status, body } = await respondTo(service, path, headers)
          expect([status, body]).toEqual([403, expect.stringContaining('Open the URL that svc local printed')])
        }
      }
    },
  )

  it('are opened by the printed URL, whose token a browser keeps out of sight', async () => {
    for (const service of [local, own, open]) {
      const { search } = new URL(service.pageUrl)
      const { status, headers } = await respondTo(service, `/traces/any${search}&observation=1`)
      expect([status, headers.location]).toEqual([303, '/traces/any?observation=1'])
      const port = new URL(service.url).port
      const [cookie = '', ...attributes] = (headers['set-cookie']?.[0] ?? '').split('; ')
      expect([cookie, attributes]).toEqual([
        `svc-local-${port}=${search.slice(7)}`,
        ['HttpOnly', 'SameSite=Strict', 'Path=/'],
      ])
      expect((await respondTo(service, '/', { cookie: `other=1; ${cookie}` })).status).toBe(200)
      expect((await respondTo(service, '/viewer/about', { cookie })).status).toBe(200)
    }
  })

  it('are opened from a link of another site without a redirect, along which browsers send no strict cookie', async () => {
    const { search } = new URL(local.pageUrl)
    const { status, headers, body } = await respondTo(local, `/${search}&a=1&b=2`, { 'sec-fetch-site': 'cross-site' })
    expect([status, headers['set-cookie']?.length]).toEqual([200, 1])
    expect(body).toContain('content="0;url=/?a=1&amp;b=2"')
  })

  it.each(['', 'x', 'token'])('are not opened by another token: %s', async (token) => {
    expect(await respondTo(local, `/?token=${token}`)).toMatchObject({ status: 403, headers: {} })
    const port = new URL(local.url).port
    expect((await respondTo(local, '/', { cookie: `svc-local-${port}=${token}` })).status).toBe(403)
    const { search } = new URL(own.pageUrl)
    expect((await respondTo(local, '/', { cookie: `svc-local-${port}=${search.slice(7)}` })).status).toBe(403)
  })

  it('are open to all of this machine without a token, which is not possible beyond it', async () => {
    const bare = await startLocal({ token: false })
    expect([(await respondTo(bare, '/')).status, bare.pageUrl]).toEqual([200, bare.url])
    expect((await respondTo(bare, '/viewer/traces', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    await bare.close()
    await expect(startLocal({ token: false, host: '0.0.0.0' })).rejects.toThrow('every machine that reaches 0.0.0.0')
  })
})

describe('a page of another origin', () => {
  const FOREIGN = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:1' },
    { origin: 'null' },
  ]
  it.each(FOREIGN)('writes nothing, whatever keys it has: %o', async (headers) => {
    for (const [method, path] of [
      ['POST', '/v2/prompts'],
      ['POST', '/scores'],
      ['POST', '/otel/v1/traces'],
      ['DELETE', '/traces/x'],
    ]) {
      const sent = { ...headers, authorization: keysOf(own), 'content-type': 'application/json' }
      expect((await respondTo(own, `/api/public${path}`, sent, method)).status).toBe(403)
    }
  })

  it('sends scores with the public key alone, where it may read', async () => {
    const score = (service: LocalService, origin: string) =>
      respondTo(
        service,
        '/api/public/scores',
        { origin, authorization: `Bearer ${service.publicKey}`, 'content-type': 'application/json' },
        'POST',
      )
    // There is no body: it was let in.
    expect((await score(own, 'https://app.example')).status).toBe(400)
    expect((await score(local, 'http://localhost:5173')).status).toBe(400)
    expect((await score(local, 'https://app.example')).status).toBe(403)
  })
})

it.each([
  'text/plain',
  'text/plain; charset=application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
])('a body of a type that forms send is refused: %s', async (type) => {
  const headers = { authorization: keysOf(local), 'content-type': type }
  const { status, body } = await respondTo(local, '/api/public/v2/prompts', headers, 'POST')
  expect([status, JSON.parse(body).message]).toEqual([415, 'Send JSON, with Content-Type: application/json'])
})

it('a refusal asks no browser for keys', async () => {
  for (const path of ['/', '/api/public/projects', '/viewer/traces']) {
    expect((await respondTo(local, path)).headers).not.toHaveProperty('www-authenticate')
  }
})

describe('keys that everybody knows', () => {
  const KNOWN = { publicKey: 'pk-svc-local', secretKey: 'sk-svc-local' }
  it.each([
    KNOWN,
    { publicKey: 'pk-svc-local' },
    { secretKey: 'sk-svc-local' },
    { publicKey: 'sk-svc-local', secretKey: 'pk-svc-local' },
  ])('are replaced by random ones beyond loopback, and a line says so: %o', async (given) => {
    const logged: string[] = []
    logThrough((_, message) => logged.push(message))
    onTestFinished(() => logThrough(undefined))
    const far = await startLocal({ host: '0.0.0.0', ...given })
    expect(Object.values(KNOWN)).not.toContain(far.publicKey)
    expect(Object.values(KNOWN)).not.toContain(far.secretKey)
    expect(logged).toEqual([expect.stringContaining('random keys take their place')])
    expect(
      (await respondTo(far, '/api/public/projects', { authorization: basic('pk-svc-local', 'sk-svc-local') })).status,
    ).toBe(401)
    await far.close()
  })

  it('are the only ones that are replaced', async () => {
    const far = await startLocal({ host: '0.0.0.0', publicKey: 'pk-own', secretKey: 'sk-own' })
    expect(far).toMatchObject({ publicKey: 'pk-own', secretKey: 'sk-own' })
    await far.close()
  })

  it('open nothing beyond loopback from a database either', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-local-known-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const db = join(folder, 'known.db')
    const near = await startLocal({ db, publicKey: 'pk-own', secretKey: 'sk-own' })
    const create = (body: object) => call(near, 'POST /projects/svc-local/apiKeys', body)
    expect((await create(KNOWN)).status).toBe(201)
    expect((await create({ publicKey: 'pk-other', secretKey: 'sk-svc-local' })).status).toBe(201)
    const ask = async (service: LocalService, publicKey: string) =>
      (await respondTo(service, '/api/public/projects', { authorization: basic(publicKey, 'sk-svc-local') })).status
    expect([await ask(near, 'pk-svc-local'), await ask(near, 'pk-other')]).toEqual([200, 200])
    await near.close()
    const far = await startLocal({ db, host: '0.0.0.0' })
    expect([await ask(far, 'pk-svc-local'), await ask(far, 'pk-other')]).toEqual([401, 401])
    await far.close()
  })
})

it('HEAD of what stays open is answered', async () => {
  const { cookie } = await opened(local)
  expect(await respondTo(local, '/viewer/live', { cookie }, 'HEAD')).toMatchObject({ status: 200, body: '' })
})

it.each(['/', '/api/public/health'])('a request for another host is refused: %s', async (path) => {
  const { status, body } = await respondTo(local, path, { host: 'evil.example' })
  expect([status, JSON.parse(body).message]).toEqual([
    403,
    'The Host header names another host: start the service with --host and that name',
  ])
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
    for (const origin of ['http://localhost:5173', 'http://shop.localhost:5173', 'http://[::1]:5173']) {
      expect(await from(local, origin)).toHaveProperty('access-control-allow-origin', origin)
    }
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

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type LocalOptions, type LocalService, startLocal } from '@svc/local'
import { afterEach, describe, expect, it } from 'vitest'
import { call } from '../../packages/local/test/support/api.ts'
import { basic } from '../../packages/local/test/support/sdk.ts'

// Who reaches the service, and under which name: other machines, other users of this one, and pages that were led to it.
const KNOWN = basic('pk-svc-local', 'sk-svc-local')

const running: LocalService[] = []
afterEach(() => Promise.all(running.splice(0).map((local) => local.close())))
async function start(options?: LocalOptions): Promise<LocalService> {
  const local = await startLocal(options)
  running.push(local)
  return local
}

/** What fetch does not send: any `Host`, several headers of a name. */
async function statusOf(local: LocalService, path: string, headers: Record<string, string | string[]>, method = 'GET') {
  const sent = request(`http://127.0.0.1:${new URL(local.url).port}${path}`, { method, headers }).end()
  const [response] = await once(sent, 'response')
  await text(response)
  return response.statusCode
}

describe('the keys that everybody knows open nothing', () => {
  it.each(['0.0.0.0', '::', '0', '::ffff:0.0.0.0', '0x0'])('on the address %s', async (host) => {
    for (const given of [{}, { publicKey: 'pk-svc-local', secretKey: 'sk-svc-local' }]) {
      const local = await startLocal({ host, ...given }).catch(() => undefined)
      // Not every machine has every address.
      if (!local) continue
      running.push(local)
      for (const authorization of [KNOWN, 'Bearer pk-svc-local', basic('sk-svc-local', 'pk-svc-local')]) {
        expect(await statusOf(local, '/api/public/projects', { authorization })).toBe(401)
        expect(await statusOf(local, '/api/public/scores', { authorization }, 'POST')).toBe(401)
        expect(await statusOf(local, '/viewer/traces', { authorization })).toBe(403)
      }
    }
  })

  it('of a database that was made on this machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-local-hosts-'))
    const db = join(folder, 'kept.db')
    const near = await start({ db })
    await call(near, 'POST /v2/prompts', { name: 'mine', type: 'text', prompt: 'secret', labels: ['production'] })
    await near.close()
    const far = await start({ db, host: '0.0.0.0' })
    expect(await statusOf(far, '/api/public/v2/prompts/mine', { authorization: KNOWN })).toBe(401)
    expect((await call(far, 'GET /v2/prompts/mine')).status).toBe(200)
    await far.close()
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('the page is closed', () => {
  const FORGED: readonly Record<string, string>[] = [
    {},
    { authorization: KNOWN },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
    { cookie: 'svc-local=x; token=x; svc-local-=x' },
    { cookie: `${'a=b; '.repeat(2_000)}c=d` },
    { token: 'x', 'x-token': 'x' },
  ]
  it.each(FORGED)('to another user of this machine: %o', async (headers) => {
    const local = await start({ playground: { openai: { apiKey: 'sk-nobodys', baseUrl: 'http://127.0.0.1:1' } } })
    for (const path of [
      '/',
      '/traces/x',
      '/viewer/traces',
      '/viewer/about',
      '/viewer/live',
      '/viewer/traces/x/export',
    ]) {
      expect(await statusOf(local, path, headers)).toBe(403)
      expect(await statusOf(local, `${path}?token=`, headers)).toBe(403)
    }
    expect(
      await statusOf(local, '/viewer/playground', { ...headers, 'content-type': 'application/json' }, 'POST'),
    ).toBe(403)
    // As to other programs: only with keys.
    const { authorization: _, ...bare } = headers
    expect(await statusOf(local, '/api/public/v2/prompts', bare)).toBe(401)
  })

  it('with the token of another start, or of another port', async () => {
    const [first, second] = [await start(), await start()]
    const token = new URL(first.pageUrl).search
    expect(await statusOf(second, `/${token}`, {})).toBe(403)
    const [port, other] = [first, second].map(({ url }) => new URL(url).port)
    for (const name of [port, other]) {
      expect(await statusOf(second, '/', { cookie: `svc-local-${name}=${token.slice(7)}` })).toBe(403)
    }
    const open = { cookie: `svc-local-${other}=old; svc-local-${other}=${new URL(second.pageUrl).search.slice(7)}` }
    expect(await statusOf(second, '/', open)).toBe(200)
  })
})

it.each([
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1:1@evil.example',
  'localhost:1/evil',
])('a page that was led here by its name reaches nothing: %s', async (host) => {
  const local = await start()
  const { search } = new URL(local.pageUrl)
  for (const path of ['/', `/${search}`, '/viewer/traces', '/api/public/health', '/api/public/projects']) {
    expect([400, 403]).toContain(await statusOf(local, path, { host, authorization: KNOWN }))
  }
})

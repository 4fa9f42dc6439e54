import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../../test/support/api.ts'
import { opened } from '../../../test/support/page.ts'
import { type LocalService, startLocal } from '../../index.ts'

const TRACE = 'a'.repeat(32)
const PROJECT = '/project/svc-local'

let local: LocalService
beforeAll(async () => {
  local = await startLocal({ token: false })
  await call(local, 'POST /v2/datasets', { name: 'a set' })
  await call(local, 'POST /dataset-items', { datasetName: 'a set', id: 'one', input: 1 })
})
afterAll(() => local.close())

const open = (path: string) => fetch(local.url + path, { redirect: 'manual' })

it.each(['/', '/traces/any'])('the page %s loads only its own script and style', async (path) => {
  const { status, headers } = await open(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

describe('links created by the client', () => {
  it.each([
    [`/traces/${TRACE}`, `/traces/${TRACE}`],
    ['/experiments/results?baseline=an%2Fid', '/experiments/an%2Fid'],
    ['/datasets/any/items/one', '/datasets/a%20set?item=one'],
  ])('%s lead to their pages', async (path, expected) => {
    const response = await open(PROJECT + path)
    expect([response.status, response.headers.get('location')]).toEqual([302, expected])
  })

  it('to an unknown item responds with 404', async () => {
    expect((await open(`${PROJECT}/datasets/any/items/none`)).status).toBe(404)
  })
})

describe('a request that only the viewer page makes', () => {
  it('is never readable by other web pages', async () => {
    const own = await startLocal({ publicKey: 'pk-own', secretKey: 'sk-own' })
    const headers = { origin: 'https://example.com', ...(await opened(own)) }
    const response = await fetch(`${own.url}/viewer/traces`, { headers })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null])
    await own.close()
  })

  it('is accepted without keys where the printed URL was opened, and only from the page itself', async () => {
    const closed = await startLocal()
    const { cookie } = await opened(closed)
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${closed.url}/api/public/v2/prompts`, { headers: { cookie, ...headers } })).status
    expect(await ask({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await ask({ 'sec-fetch-site': 'same-site' })).toBe(401)
    expect(await ask({ 'sec-fetch-site': 'cross-site' })).toBe(401)
    expect(await ask({ origin: 'http://localhost:1' })).toBe(401)
    expect(await ask({ 'sec-fetch-site': 'same-origin', cookie: '' })).toBe(401)
    expect(await ask({ 'sec-fetch-site': 'same-origin', authorization: 'Basic d3Jvbmc6a2V5cw==' })).toBe(401)
    await closed.close()
  })

  it('is accepted without keys and token if the token was left out and the browser sends the origin of this service', async () => {
    const ask = (site: string) => fetch(`${local.url}/api/public/v2/prompts`, { headers: { 'sec-fetch-site': site } })
    expect((await ask('same-origin')).status).toBe(200)
    expect((await ask('same-site')).status).toBe(401)
    expect((await fetch(`${local.url}/api/public/v2/prompts`)).status).toBe(401)
  })

  it('is not among the requests of programs', async () => {
    const before = local.calls().length
    await fetch(`${local.url}/api/public/v2/prompts`, { headers: { 'sec-fetch-site': 'same-origin' } })
    expect(local.calls()).toHaveLength(before)
  })
})

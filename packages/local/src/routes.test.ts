import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../test/support/api.ts'
import { NOT_IMPLEMENTED } from './api/not-implemented.ts'
import { type LocalService, startLocal } from './index.ts'
import { ROUTES } from './routes.ts'

let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

const filled = (path: string) => path.replaceAll(/\{\w+\}/g, 'some')

it('the routes have the 106 endpoints of the API, each once', () => {
  const endpoints = ROUTES.flatMap(({ endpoint }) => endpoint ?? [])
  expect(new Set(endpoints).size).toBe(106)
  expect(endpoints).toHaveLength(106)
  const requests = ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(new Set(requests).size).toBe(requests.length)
})

describe('an endpoint of the API that is not supported', () => {
  it.each(Object.entries(NOT_IMPLEMENTED))('%s responds with 501 and its name', async (endpoint, request) => {
    const body = request.startsWith('GET') ? undefined : { some: 'body' }
    expect(await call(local, filled(request) as typeof request, body)).toMatchObject({
      status: 501,
      body: { message: `${endpoint} is not part of svc-local`, error: 'NotImplemented' },
    })
    const { method, path } = ROUTES.find((route) => route.endpoint === endpoint) ?? {}
    expect(local.calls().at(-1)).toMatchObject({ method, path: filled(path ?? ''), status: 501 })
    expect(local.calls().at(-1)?.body).toEqual(body)
  })
})

it('docs/local.md lists the endpoints that are not supported', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/local.md'), 'utf8')
  const [, list = ''] = page.split('## Endpoints that are not supported')
  const listed = [...list.matchAll(/^- `([\w.]+)`:((?:\s+`\w+`,?)+)/gm)].flatMap(([, namespace, methods = '']) =>
    [...methods.matchAll(/`(\w+)`/g)].map(([, method]) => `${namespace}.${method}`),
  )
  expect(listed).toEqual(Object.keys(NOT_IMPLEMENTED))
})

it.each(ROUTES.filter(({ access }) => access === 'project' || access === 'scores'))(
  'the route $method $path requires the keys',
  async ({ method, path }) => {
    const url = local.url + filled(path)
    const statuses = [{}, { authorization: 'Basic d3Jvbmc6a2V5cw==' }, { authorization: 'Digest x' }].map(
      async (headers) => (await fetch(url, { method, headers })).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 401, 401])
    const alone = await fetch(url, { method, headers: { authorization: `Bearer ${local.publicKey}` } })
    expect(alone.status).toBe(path === '/api/public/scores' ? 400 : 403)
  },
)

it.each([...new Set(ROUTES.map(({ path }) => path))])('the route %s names its allowed methods', async (path) => {
  const response = await fetch(local.url + filled(path), { method: 'LINK' })
  const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method)
  expect(response.status).toBe(405)
  expect((response.headers.get('allow') ?? '').split(', ')).toEqual(expect.arrayContaining(methods))
})

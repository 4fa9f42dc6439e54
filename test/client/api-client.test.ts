import type { SvcClient } from '@svc/client'
import { environmentOf } from '@svc/core/environment'
import { describe, expect, it } from 'vitest'
import { useBench } from './api-support.ts'

const bench = useBench()
const PROJECTS = 'GET /api/public/projects'
const TRACE = '0123456789abcdef0123456789abcdef'

describe('the project of the keys', () => {
  it('is requested once, also by concurrent callers', async () => {
    const client = bench.client()
    const requests = () => bench.local.calls().filter(({ path }) => path === '/api/public/projects').length
    const before = requests()
    const ids = await Promise.all([client.getProjectId(), client.getProjectId(), client.getTraceUrl('t')])
    expect(await client.getProjectId()).toBe(ids[0])
    expect(ids[1]).toBe(ids[0])
    expect(requests()).toBe(before + 1)
  })

  it('is requested again after a failure', async () => {
    const client = bench.client()
    bench.local.respond(PROJECTS, { status: 403, body: {} })
    await expect(client.getProjectId()).rejects.toMatchObject({ name: 'AccessDeniedError' })
    expect(await client.getProjectId()).toMatch(/./)
  })

  it.each([{ data: [] }, {}, null])('is an error if the service returns none: %j', async (body) => {
    bench.local.respond(PROJECTS, { status: 200, body })
    await expect(bench.client().getProjectId()).rejects.toThrow('The service returned no project for these keys.')
  })

  it('is part of the links to traces and experiments', async () => {
    bench.local.respond(PROJECTS, { status: 200, body: { data: [{ id: 'p 1' }] } })
    const client = bench.client({ baseUrl: `${bench.local.url}//` })
    expect(await client.getTraceUrl(TRACE)).toBe(`${bench.local.url}/project/p%201/traces/${TRACE}`)
    expect(await client.getExperimentUrl('e&1')).toBe(
      `${bench.local.url}/project/p%201/experiments/results?baseline=e%261`,
    )
  })
})

/** What a client with these variables and options sends, when it scores something. */
async function sentWith(variables: Record<string, string>, options: ConstructorParameters<typeof SvcClient>[0] = {}) {
  const before = bench.local.calls().length
  const client = bench.client({ env: environmentOf({ ...bench.local.env, ...variables }), ...options })
  client.score.create({ traceId: TRACE, name: 'n', value: 1 })
  await client.flush()
  const [call] = bench.local.calls().slice(before)
  return { headers: call?.headers, score: (call?.body as Record<string, unknown>[] | undefined)?.[0] }
}

describe('a client option wins over its environment variable:', () => {
  it('the keys', async () => {
    const basic = (publicKey: string, secretKey: string) => `Basic ${btoa(`${publicKey}:${secretKey}`)}`
    const variables = { SVC_PUBLIC_KEY: 'pk-1', SVC_SECRET_KEY: 'sk-1' }
    expect((await sentWith(variables)).headers?.authorization).toBe(basic('pk-1', 'sk-1'))
    const options = { publicKey: 'pk-2', secretKey: 'sk-ü' }
    const authorization = (await sentWith(variables, options)).headers?.authorization
    expect(Buffer.from(String(authorization).slice(6), 'base64').toString('utf8')).toBe('pk-2:sk-ü')
  })

  it('SVC_BASEURL if SVC_BASE_URL is not set, with trailing slashes removed', async () => {
    const variables = { SVC_BASE_URL: '', SVC_BASEURL: `${bench.local.url}/` }
    expect((await sentWith(variables)).score).toMatchObject({ name: 'n' })
    expect((await sentWith({ SVC_BASE_URL: 'http://127.0.0.1:1' }, { baseUrl: bench.local.url })).score).toBeDefined()
  })

  it('SVC_ADDITIONAL_HEADERS, which replace default headers in any case', async () => {
    const { headers } = await sentWith({ SVC_ADDITIONAL_HEADERS: 'X-Team=a%20b,X-Svc-Sdk-Name=mine' })
    expect(headers).toMatchObject({ 'x-team': 'a b', 'x-svc-sdk-name': 'mine' })
    const option = await sentWith({ SVC_ADDITIONAL_HEADERS: 'x-team=a' }, { additionalHeaders: { 'X-Team': 'b' } })
    expect(option.headers).toMatchObject({ 'x-team': 'b', 'content-type': 'application/json' })
  })

  it('SVC_TRACING_ENVIRONMENT', async () => {
    expect((await sentWith({ SVC_TRACING_ENVIRONMENT: 'Test' })).score).toMatchObject({ environment: 'test' })
    expect((await sentWith({ SVC_TRACING_ENVIRONMENT: 'a' }, { environment: 'b' })).score).toMatchObject({
      environment: 'b',
    })
    expect((await sentWith({})).score).not.toHaveProperty('environment')
  })

  it('SVC_FLUSH_AT and SVC_FLUSH_INTERVAL', async () => {
    const nobodyFlushes = (variables: Record<string, string>, environment: string) => {
      const client = bench.client({ env: environmentOf({ ...bench.local.env, ...variables }), environment })
      client.score.create({ traceId: TRACE, name: 'n', value: 1 })
      client.score.create({ traceId: TRACE, name: 'n', value: 2 })
      return bench.local.waitFor(({ scores }) => scores().some((score) => score.environment === environment))
    }
    await nobodyFlushes({ SVC_FLUSH_AT: '2', SVC_FLUSH_INTERVAL: '3600' }, 'enough')
    await nobodyFlushes({ SVC_FLUSH_AT: '1000', SVC_FLUSH_INTERVAL: '0.01' }, 'impatient')
  })

  it('SVC_TIMEOUT for managers and scores, while API calls have their own', async () => {
    const client = bench.client({ env: environmentOf({ ...bench.local.env, SVC_TIMEOUT: '0.05' }) })
    let open = () => {}
    const until = new Promise<void>((resolve) => {
      open = resolve
    })
    bench.local.respond(PROJECTS, { until, times: 2 })
    const slow = client.api.projects.get()
    await expect(client.getProjectId()).rejects.toMatchObject({ name: 'SvcAPITimeoutError' })
    open()
    expect((await slow).data).toHaveLength(1)
  })

  it('with one warning for each invalid value, which is replaced by the default', async () => {
    await sentWith({ SVC_FLUSH_AT: 'many', SVC_TIMEOUT: 'soon' }, { environment: 'Not valid' })
    expect(bench.logged()).toEqual([
      expect.stringMatching(/option environment = "Not valid" is ignored: expected/),
      expect.stringMatching(/SVC_TIMEOUT="soon" is ignored: expected/),
      expect.stringMatching(/SVC_FLUSH_AT="many" is ignored: expected/),
    ])
  })
})

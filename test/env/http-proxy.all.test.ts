import { afterAll, expect, it } from 'vitest'
import { startRawServer } from '../../packages/core/test/support/raw-server.ts'
import { startServer } from '../../packages/core/test/support/server.ts'
import { HOST, useProxy } from '../support/network.ts'
import { lostIn, startSpans, useIntake } from '../support/spans.ts'

const SERVICE = { url: `http://${HOST}:4321` }
const PLAN = { make: { spans: 1 }, end: 'naturally' } as const

const unwanted = await startServer()
afterAll(() => unwanted[Symbol.asyncDispose]())

it('HTTP_PROXY is used at a signal, too', async () => {
  const intake = await useIntake()
  const proxy = await useProxy({ to: intake.port })
  const program = startSpans(SERVICE, { ...PLAN, end: 'a signal' }, { HTTP_PROXY: proxy.url() })
  await program.printed(/^ready/m)
  program.kill('SIGTERM')
  expect((await program.ended).stderr).toBe('')
  expect({ arrived: intake.taken.size, proxied: proxy.requests.length }).toEqual({ arrived: 1, proxied: 1 })
})

it('http_proxy in lower case wins over HTTP_PROXY', async () => {
  const intake = await useIntake()
  const proxy = await useProxy({ to: intake.port })
  const env = { http_proxy: proxy.url(), HTTP_PROXY: unwanted.url }
  expect((await startSpans(SERVICE, PLAN, env).ended).stderr).toBe('')
  expect({ arrived: intake.taken.size, unwanted: unwanted.requests.length }).toEqual({ arrived: 1, unwanted: 0 })
})

it('HTTP_PROXY may have a user and a password, and no scheme', async () => {
  const intake = await useIntake()
  const proxy = await useProxy({ to: intake.port })
  const url = proxy.url('user:p%40ss').replace('http://', '')
  expect((await startSpans(SERVICE, PLAN, { HTTP_PROXY: url }).ended).stderr).toBe('')
  const { headers } = proxy.requests[0] ?? {}
  expect(headers?.['proxy-authorization']).toBe(`Basic ${btoa('user:p@ss')}`)
  expect(headers?.authorization).toBe(`Basic ${btoa('pk:sk')}`)
  expect(intake.requests[0]?.headers.authorization).toBe(`Basic ${btoa('pk:sk')}`)
})

it.each(['127.0.0.1', 'localhost'])('HTTP_PROXY is not used for loopback: %s', async (host) => {
  const intake = await useIntake()
  const { stderr } = await startSpans({ url: `http://${host}:${intake.port}` }, PLAN, { HTTP_PROXY: unwanted.url })
    .ended
  expect({ stderr, arrived: intake.taken.size, unwanted: unwanted.requests.length }).toEqual({
    stderr: '',
    arrived: 1,
    unwanted: 0,
  })
})

it.each([407, 502])(
  'HTTP_PROXY loses the spans if it responds with %i, and its password is not printed',
  async (status) => {
    const proxy = await startServer((response) => response.writeHead(status, { 'retry-after': '600' }).end())
    const url = proxy.url.replace('//', '//user:s3cret@')
    const { code, stderr, stdout } = await startSpans(SERVICE, PLAN, { HTTP_PROXY: url, SVC_SHUTDOWN_TIMEOUT: '60' })
      .ended
    await proxy[Symbol.asyncDispose]()
    expect({ code, reported: lostIn(stderr) }).toEqual({ code: 0, reported: 1 })
    expect(stderr).toMatch(`answered ${status}`)
    expect(stderr + stdout).not.toMatch('s3cret')
  },
)

it.each(['hangs', 'hangs up'])('HTTP_PROXY that %s delays the process at most the shutdown timeout', async (way) => {
  let connections = 0
  const proxy = await startRawServer((socket) => {
    connections += 1
    if (way === 'hangs up') socket.destroy()
  })
  const url = proxy.url.replace('//', '//user:s3cret@')
  const env = { HTTP_PROXY: url, SVC_SHUTDOWN_TIMEOUT: '0.3', SVC_TIMEOUT: '600' }
  const { code, stderr, stdout } = await startSpans(SERVICE, PLAN, env).ended
  await proxy[Symbol.asyncDispose]()
  expect(connections).toBeGreaterThan(0)
  expect({ code, reported: lostIn(stderr) }).toEqual({ code: 0, reported: 1 })
  expect(stderr + stdout).not.toMatch('s3cret')
})

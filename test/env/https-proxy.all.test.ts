import { afterAll, expect, it } from 'vitest'
import { startServer } from '../../packages/core/test/support/server.ts'
import { HOST, makeServiceCertificate, useProxy } from '../support/network.ts'
import { lostIn, startSpans, useIntake } from '../support/spans.ts'

const SERVICE = { url: `https://${HOST}` }
const PLAN = { make: { spans: 1 }, end: 'naturally' } as const

const certificate = makeServiceCertificate()
const trusting = { OTEL_EXPORTER_OTLP_CERTIFICATE: certificate.certFile }
const unwanted = await startServer()
afterAll(() => unwanted[Symbol.asyncDispose]())

it('HTTPS_PROXY is used at a signal, too', async () => {
  const intake = await useIntake({ tls: certificate })
  const proxy = await useProxy({ to: intake.port })
  const program = startSpans(SERVICE, { ...PLAN, end: 'a signal' }, { ...trusting, HTTPS_PROXY: proxy.url() })
  await program.printed(/^ready/m)
  program.kill('SIGTERM')
  expect((await program.ended).stderr).toBe('')
  expect({ arrived: intake.taken.size, proxied: proxy.requests.length }).toEqual({ arrived: 1, proxied: 1 })
})

it('https_proxy in lower case wins over HTTPS_PROXY', async () => {
  const intake = await useIntake({ tls: certificate })
  const proxy = await useProxy({ to: intake.port })
  const env = { ...trusting, https_proxy: proxy.url(), HTTPS_PROXY: unwanted.url }
  expect((await startSpans(SERVICE, PLAN, env).ended).stderr).toBe('')
  expect({ arrived: intake.taken.size, unwanted: unwanted.requests.length }).toEqual({ arrived: 1, unwanted: 0 })
})

it('HTTPS_PROXY is not used for http URLs, nor HTTP_PROXY for https ones', async () => {
  const intake = await useIntake({ tls: certificate })
  const plain = await useIntake()
  const proxy = await useProxy({ to: intake.port })
  const plainProxy = await useProxy({ to: plain.port })
  const env = { ...trusting, HTTPS_PROXY: proxy.url(), HTTP_PROXY: plainProxy.url() }
  await startSpans(SERVICE, PLAN, env).ended
  await startSpans({ url: `http://${HOST}` }, PLAN, env).ended
  expect([proxy, plainProxy].map(({ requests }) => requests.map(({ method }) => method))).toEqual([
    ['CONNECT'],
    ['POST'],
  ])
  expect([intake.taken.size, plain.taken.size]).toEqual([1, 1])
})

it('HTTPS_PROXY is not used for loopback', async () => {
  const intake = await useIntake({ tls: certificate })
  const env = { ...trusting, HTTPS_PROXY: unwanted.url }
  expect((await startSpans(intake, PLAN, env).ended).stderr).toBe('')
  expect({ arrived: intake.taken.size, unwanted: unwanted.requests.length }).toEqual({ arrived: 1, unwanted: 0 })
})

it.each([
  [407, 'naturally'],
  [407, 'process.exit'],
  [502, 'naturally'],
  [502, 'process.exit'],
])('HTTPS_PROXY is named without its password if it responds with %i when the process ends %s', async (status, end) => {
  const proxy = await useProxy({ to: 1, tunnelStatus: status })
  const env = { ...trusting, HTTPS_PROXY: proxy.url('user:s3cret'), SVC_SHUTDOWN_TIMEOUT: '60' }
  const { stderr, stdout } = await startSpans(SERVICE, { ...PLAN, end }, env).ended
  expect(lostIn(stderr)).toBe(1)
  expect(stderr).toMatch(`the proxy 127.0.0.1:${proxy.port} answered ${status}`)
  expect(stderr + stdout).not.toMatch('s3cret')
})

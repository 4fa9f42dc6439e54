import { expect, it } from 'vitest'
import { HOST, makeServiceCertificate, useProxy } from '../support/network.ts'
import { lostIn, startSpans, useIntake } from '../support/spans.ts'

// The end by process.exit has a worker of its own, which has to know all of this, too.
const ENDS = ['naturally', 'process.exit'] as const
/** This machine, by an address that is none of loopback. */
const HERE = '0.0.0.0'

const service = makeServiceCertificate()
const client = makeServiceCertificate()
const trusting = { OTEL_EXPORTER_OTLP_CERTIFICATE: service.certFile }

async function send(url: string, env: Readonly<Record<string, string>>, end: string = ENDS[0]) {
  const { stderr } = await startSpans({ url }, { make: { spans: 1 }, end }, env).ended
  return { reported: lostIn(stderr), stderr }
}

const arrives = { reported: 0, stderr: '' }

it.each(ENDS)('HTTPS_PROXY is used for https URLs, through a tunnel: %s', async (end) => {
  const intake = await useIntake({ tls: service })
  const proxy = await useProxy({ to: intake.port })
  const env = { ...trusting, HTTPS_PROXY: proxy.url('user:p%40ss') }
  expect(await send(`https://${HOST}`, env, end)).toEqual(arrives)
  const authorization = { 'proxy-authorization': `Basic ${btoa('user:p@ss')}` }
  expect(proxy.requests).toMatchObject([{ method: 'CONNECT', target: `${HOST}:443`, headers: authorization }])
  // The keys are for the service.
  expect(proxy.requests[0]?.headers.authorization).toBeUndefined()
  expect(intake.requests).toMatchObject([{ headers: { authorization: `Basic ${btoa('pk:sk')}` } }])
  expect([...intake.taken.keys()]).toEqual(['s0'])
})

it.each(ENDS)('HTTP_PROXY is used for http URLs: %s', async (end) => {
  const intake = await useIntake()
  const proxy = await useProxy({ to: intake.port })
  const url = `http://${HOST}:4321`
  expect(await send(url, { HTTP_PROXY: proxy.url(), HTTPS_PROXY: 'http://127.0.0.1:1' }, end)).toEqual(arrives)
  expect(proxy.requests).toMatchObject([{ method: 'POST', target: `${url}/api/public/otel/v1/traces` }])
  expect([...intake.taken.keys()]).toEqual(['s0'])
})

it('NO_PROXY lists hosts that are reached without a proxy', async () => {
  const intake = await useIntake()
  const proxy = await useProxy({ to: intake.port })
  const url = `http://${HERE}:${intake.port}`
  expect(await send(url, { HTTP_PROXY: proxy.url() })).toEqual(arrives)
  expect(proxy.requests).toHaveLength(1)
  expect(await send(url, { HTTP_PROXY: proxy.url(), NO_PROXY: `other.test, ${HERE}` })).toEqual(arrives)
  expect({ proxied: proxy.requests.length, arrived: intake.requests.length }).toEqual({ proxied: 1, arrived: 2 })
})

it.each(ENDS)('OTEL_EXPORTER_OTLP_CERTIFICATE is a file with trusted certificates of the service: %s', async (end) => {
  const { url, taken } = await useIntake({ tls: service })
  expect(await send(url, trusting, end)).toEqual(arrives)
  expect(taken.size).toBe(1)
  const stderr = expect.stringMatching(/Cannot reach 127\.0\.0\.1:\d+: .*self[- ]signed/)
  expect(await send(url, {}, end)).toEqual({ reported: 1, stderr })
})

it.each(ENDS)('OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and its key are sent to the service: %s', async (end) => {
  const { url, taken } = await useIntake({
    tls: { ...service, ca: client.cert, requestCert: true, rejectUnauthorized: true } as typeof service,
  })
  const own = {
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: client.certFile,
    OTEL_EXPORTER_OTLP_CLIENT_KEY: client.keyFile,
  }
  expect(await send(url, { ...trusting, ...own }, end)).toEqual(arrives)
  expect(taken.size).toBe(1)
  expect(await send(url, trusting, end)).toMatchObject({ reported: 1 })
})

import { expect, it } from 'vitest'
import { makeServiceCertificate } from '../support/network.ts'
import { lostIn, startSpans, useIntake } from '../support/spans.ts'

const PLAN = { make: { spans: 1 }, end: 'naturally' } as const

const service = makeServiceCertificate()
const client = makeServiceCertificate()
const other = makeServiceCertificate()
/** A service that requires a certificate of the client. */
const tls = { ...service, ca: client.cert, requestCert: true, rejectUnauthorized: true }
const trusting = { OTEL_EXPORTER_OTLP_CERTIFICATE: service.certFile }

async function send(env: Readonly<Record<string, string>>, end: string = PLAN.end) {
  const intake = await useIntake({ tls })
  const { stderr } = await startSpans(intake, { ...PLAN, end }, { ...trusting, ...env }).ended
  return { arrived: intake.taken.size, reported: lostIn(stderr) }
}

const arrives = { arrived: 1, reported: 0 }
const isLost = { arrived: 0, reported: 1 }

it.each([
  ['OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE', 'OTEL_EXPORTER_OTLP_CLIENT_KEY'],
  ['OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE', 'OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY'],
])(
  'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE as %s is a file with the certificate sent to the service',
  async (certificate, key) => {
    const env = { [certificate]: client.certFile, [key]: client.keyFile }
    expect(await send(env)).toEqual(arrives)
    expect(await send(env, 'process.exit')).toEqual(arrives)
  },
)

it('OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE is refused if the service expects another one', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: other.certFile,
    OTEL_EXPORTER_OTLP_CLIENT_KEY: other.keyFile,
  }
  expect(await send(env)).toEqual(isLost)
})

it('OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE wins over the one for all signals', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: client.certFile,
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: other.certFile,
    OTEL_EXPORTER_OTLP_CLIENT_KEY: client.keyFile,
  }
  expect(await send(env)).toEqual(arrives)
})

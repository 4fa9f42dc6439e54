import { expect, it } from 'vitest'
import { makeServiceCertificate } from '../support/network.ts'
import { lostIn, startSpans, useIntake } from '../support/spans.ts'

const service = makeServiceCertificate()
const client = makeServiceCertificate()
const other = makeServiceCertificate()
const tls = { ...service, ca: client.cert, requestCert: true, rejectUnauthorized: true }

/** What becomes of a span whose client certificate has a key of its own, another's, or none. */
async function send(env: Readonly<Record<string, string>>, end: string) {
  const intake = await useIntake({ tls })
  const certificates = {
    OTEL_EXPORTER_OTLP_CERTIFICATE: service.certFile,
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: client.certFile,
  }
  const { code, stdout, stderr } = await startSpans(intake, { make: { spans: 1 }, end }, { ...certificates, ...env })
    .ended
  return { isMade: /^made 1$/m.test(stdout), code, arrived: intake.taken.size, reported: lostIn(stderr), stderr }
}

const WAYS = [
  ['naturally', 0],
  ['process.exit', 3],
] as const

it.each(WAYS)(
  'OTEL_EXPORTER_OTLP_CLIENT_KEY is a file with the key of the client certificate: %s',
  async (end, code) => {
    expect(await send({ OTEL_EXPORTER_OTLP_CLIENT_KEY: client.keyFile }, end)).toEqual({
      isMade: true,
      code,
      arrived: 1,
      reported: 0,
      stderr: '',
    })
  },
)

it.each(WAYS)(
  'OTEL_EXPORTER_OTLP_CLIENT_KEY of another certificate is reported without harming the application: %s',
  async (end, code) => {
    expect(await send({ OTEL_EXPORTER_OTLP_CLIENT_KEY: other.keyFile }, end)).toEqual({
      isMade: true,
      code,
      arrived: 0,
      reported: 1,
      stderr: expect.stringMatching(/Cannot reach 127\.0\.0\.1:\d+: .*key values mismatch/),
    })
  },
)

it.each(WAYS)(
  'OTEL_EXPORTER_OTLP_CLIENT_KEY unset with a certificate does not harm the application: %s',
  async (end, code) => {
    const { stderr: _, ...ended } = await send({}, end)
    expect(ended).toEqual({ isMade: true, code, arrived: 0, reported: 1 })
  },
)

it('OTEL_EXPORTER_OTLP_CLIENT_KEY is never printed, not even if the file is invalid', async () => {
  const { stderr, reported } = await send({ OTEL_EXPORTER_OTLP_CLIENT_KEY: import.meta.filename }, 'naturally')
  expect(reported).toBe(1)
  expect(stderr).not.toMatch('vitest')
})

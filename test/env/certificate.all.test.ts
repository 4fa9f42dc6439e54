import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeServiceCertificate } from '../support/network.ts'
import { lostIn, startSpans, useFolder, useIntake } from '../support/spans.ts'

const PLAN = { make: { spans: 1 }, end: 'naturally' } as const

const certificate = makeServiceCertificate()
const other = makeServiceCertificate()

async function send(env: Readonly<Record<string, string>>, end: string = PLAN.end) {
  const intake = await useIntake({ tls: certificate })
  const { stderr } = await startSpans(intake, { ...PLAN, end }, env).ended
  return { arrived: intake.taken.size, reported: lostIn(stderr), stderr }
}

const arrives = { arrived: 1, reported: 0, stderr: '' }
const isRefused = {
  arrived: 0,
  reported: 1,
  stderr: expect.stringMatching(/Cannot reach 127\.0\.0\.1:\d+: .*self[- ]signed/),
}

it.each(['OTEL_EXPORTER_OTLP_CERTIFICATE', 'OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE'])(
  'OTEL_EXPORTER_OTLP_CERTIFICATE as %s is a file with trusted certificates of the service',
  async (name) => {
    expect(await send({ [name]: certificate.certFile })).toEqual(arrives)
    expect(await send({ [name]: certificate.certFile }, 'process.exit')).toEqual(arrives)
  },
)

it('OTEL_EXPORTER_OTLP_CERTIFICATE replaces the certificates of Node', async () => {
  const env = { NODE_EXTRA_CA_CERTS: certificate.certFile }
  expect(await send(env)).toEqual(arrives)
  expect(await send({ ...env, OTEL_EXPORTER_OTLP_CERTIFICATE: other.certFile })).toEqual(isRefused)
})

it('OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE wins over OTEL_EXPORTER_OTLP_CERTIFICATE', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: certificate.certFile,
    OTEL_EXPORTER_OTLP_CERTIFICATE: other.certFile,
  }
  expect(await send(env)).toEqual(arrives)
})

it("OTEL_EXPORTER_OTLP_CERTIFICATE that cannot be read is reported in one line, and Node's certificates are used", async () => {
  const file = join(useFolder(), 'none.pem')
  const env = { NODE_EXTRA_CA_CERTS: certificate.certFile, OTEL_EXPORTER_OTLP_CERTIFICATE: file }
  const { arrived, stderr } = await send(env)
  expect(arrived).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(
      /OTEL_EXPORTER_OTLP_CERTIFICATE: the file ".*none\.pem" cannot be read, so it is ignored: ENOENT/,
    ),
  ])
})

it('an invalid OTEL_EXPORTER_OTLP_CERTIFICATE prevents delivery without harming the application', async () => {
  const { arrived, reported, stderr } = await send({ OTEL_EXPORTER_OTLP_CERTIFICATE: import.meta.filename })
  expect({ arrived, reported }).toEqual({ arrived: 0, reported: 1 })
  expect(stderr).toMatch(/Cannot reach 127\.0\.0\.1/)
})

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
  return { arrived: intake.taken.size, told: lostIn(stderr), stderr }
}

const arrives = { arrived: 1, told: 0, stderr: '' }
const isRefused = {
  arrived: 0,
  told: 1,
  stderr: expect.stringMatching(/Cannot reach 127\.0\.0\.1:\d+: .*self[- ]signed/),
}

it.each(['OTEL_EXPORTER_OTLP_CERTIFICATE', 'OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE'])(
  'as %s is a file with the certificates that the one of the service is checked against',
  async (name) => {
    expect(await send({ [name]: certificate.certFile })).toEqual(arrives)
    expect(await send({ [name]: certificate.certFile }, 'process.exit')).toEqual(arrives)
  },
)

it.each(['naturally', 'process.exit'])('unset leaves it to Node, which does not trust it: %s', async (end) => {
  expect(await send({}, end)).toEqual(isRefused)
})

it('is in the place of what Node trusts', async () => {
  const env = { NODE_EXTRA_CA_CERTS: certificate.certFile }
  expect(await send(env)).toEqual(arrives)
  expect(await send({ ...env, OTEL_EXPORTER_OTLP_CERTIFICATE: other.certFile })).toEqual(isRefused)
})

it('for traces wins over the one for all signals', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: certificate.certFile,
    OTEL_EXPORTER_OTLP_CERTIFICATE: other.certFile,
  }
  expect(await send(env)).toEqual(arrives)
})

it('that cannot be read is said in one line, and Node decides', async () => {
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

it('that is none is a reason not to reach the service, and not to fail', async () => {
  const { arrived, told, stderr } = await send({ OTEL_EXPORTER_OTLP_CERTIFICATE: import.meta.filename })
  expect({ arrived, told }).toEqual({ arrived: 0, told: 1 })
  expect(stderr).toMatch(/Cannot reach 127\.0\.0\.1/)
})

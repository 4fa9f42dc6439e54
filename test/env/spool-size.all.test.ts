import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { lostIn, names, startSpans, useAbsentIntake, useFolder } from '../support/spans.ts'

const SPANS = 4_000
/** 18 MB that cannot be compressed: memory has room for them, so that nothing else is full, however slow the machine. */
const make = { spans: SPANS, size: 'random' } as const
const LIMIT = 12_000_000

vi.setConfig({ testTimeout: 180_000 })

type Variables = Readonly<Record<string, string>>

/** Spans end while nothing listens; what arrives when something does was in the folder. */
async function spool(env: Variables) {
  const intake = await useAbsentIntake()
  const folder = useFolder()
  const variables = {
    SVC_OTEL_SPOOL_DIR: folder,
    SVC_FLUSH_AT: '50',
    ...env,
  }
  const first = await startSpans(intake, { make, end: 'process.exit' }, variables).ended
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  await intake.open()
  const program = startSpans(intake, { make: { spans: 0 }, end: 'a signal' }, variables)
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), { timeout: 120_000 })
  program.kill('SIGTERM')
  const { stderr } = await program.ended
  const lost = lostIn(first.stderr + stderr)
  return { arrived: new Set(intake.taken.keys()), bytes, lost, stderr: first.stderr + stderr }
}

it('SVC_OTEL_SPOOL_MAX_BYTES limits the spool directory: the oldest file is dropped, and its spans are counted', async () => {
  const { arrived, bytes, lost, stderr } = await spool({ SVC_OTEL_SPOOL_MAX_BYTES: String(LIMIT) })
  expect(bytes).toBeLessThanOrEqual(LIMIT)
  expect(bytes).toBeGreaterThan(LIMIT / 4)
  expect(stderr).toMatch(/The spool is full \(12000000 bytes, SVC_OTEL_SPOOL_MAX_BYTES\)\. \d+ spans are lost\./)
  expect(arrived.size).toBe(SPANS - lost)
  expect(names(0, SPANS / 10).filter((name) => arrived.has(name))).toEqual([])
  expect(arrived.has(`s${SPANS - 1}`)).toBe(true)
})

it('SVC_OTEL_SPOOL_MAX_BYTES is far above 18 MB by default', async () => {
  const { arrived, bytes, lost } = await spool({})
  expect(bytes).toBeGreaterThan(LIMIT)
  expect({ arrived: arrived.size, lost }).toEqual({ arrived: SPANS, lost: 0 })
})

it('SVC_OTEL_SPOOL_MAX_BYTES applies also below the size of one file', async () => {
  const limit = 1_000_000
  const { arrived, bytes, lost } = await spool({ SVC_OTEL_SPOOL_MAX_BYTES: String(limit) })
  expect(bytes).toBeLessThanOrEqual(limit)
  expect(bytes).toBeGreaterThan(limit / 2)
  expect(arrived.size).toBe(SPANS - lost)
})

it('SVC_OTEL_SPOOL_MAX_BYTES counts a file of another process once', async () => {
  const intake = await useAbsentIntake()
  const folder = useFolder()
  const env = { SVC_OTEL_SPOOL_DIR: folder, SVC_OTEL_SPOOL_MAX_BYTES: '1000000', SVC_FLUSH_AT: '50' }
  // 600 KB of one, and 300 KB of another, which lives long enough to find those of the first.
  const one = { make: { spans: 130, size: 'random' }, end: 'process.exit' } as const
  const other = { make: { spans: 65, perSecond: 150, size: 'random' }, first: 130, end: 'process.exit' } as const
  const left = [await startSpans(intake, one, env).ended, await startSpans(intake, other, env).ended]
  await intake.open()
  const program = startSpans(intake, { make: { spans: 0 }, end: 'a signal' }, env)
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), { timeout: 120_000 })
  program.kill('SIGTERM')
  const printed = [...left, await program.ended].map(({ stderr }) => stderr).join('')
  expect({ printed, arrived: intake.taken.size }).toEqual({ printed: '', arrived: 195 })
})

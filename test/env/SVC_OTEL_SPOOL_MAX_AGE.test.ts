import { readdirSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { lostIn, startSpans, useAbsentIntake, useFolder } from '../support/spans.ts'

const SPANS = 20

/** A process leaves spans in a folder, and the next one finds them, which takes it longer than a millisecond. */
async function findLeft(env: Readonly<Record<string, string>>) {
  const intake = await useAbsentIntake()
  const folder = useFolder()
  const variables = { SVC_OTEL_SPOOL_DIR: folder, ...env }
  await startSpans(intake, { make: { spans: SPANS }, end: 'process.exit' }, variables).ended
  expect(readdirSync(folder)).toHaveLength(1)
  await intake.open()
  const program = startSpans(intake, { make: { spans: 0 }, end: 'a signal' }, variables)
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), { timeout: 10_000 })
  program.kill('SIGTERM')
  const { stderr } = await program.ended
  return { arrived: intake.taken.size, stderr }
}

it('SVC_OTEL_SPOOL_MAX_AGE is how many seconds spans are kept on disk, until they are dropped and counted', async () => {
  const { arrived, stderr } = await findLeft({ SVC_OTEL_SPOOL_MAX_AGE: '0.001' })
  expect(stderr).toMatch(/Spans in the spool are kept for 0\.001 s \(SVC_OTEL_SPOOL_MAX_AGE\)\. 20 spans are lost\./)
  expect({ arrived, lost: lostIn(stderr) }).toEqual({ arrived: 0, lost: SPANS })
})

it('SVC_OTEL_SPOOL_MAX_AGE is longer by default', async () => {
  expect(await findLeft({})).toEqual({ arrived: SPANS, stderr: '' })
})

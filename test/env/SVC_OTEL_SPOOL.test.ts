import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { startSpans, useAbsentIntake, useFolder } from '../support/spans.ts'

const SPANS = 20
/** They take 400 ms to end, and their batch is not sealed before the process is killed. */
const PLAN = { make: { spans: SPANS, perSecond: 50 }, end: 'a signal' } as const
const LONG = { SVC_FLUSH_INTERVAL: '60' }

/** The next start of the same application. */
async function arrivesNext(env: Readonly<Record<string, string>>, intake: Awaited<ReturnType<typeof useAbsentIntake>>) {
  await intake.open()
  const program = startSpans(intake, { make: { spans: 0 }, end: 'a signal' }, { ...LONG, ...env })
  await program.printed(/^ready/m)
  const all = await intake.has(SPANS, 10_000)
  await vi.waitFor(() => expect(readdirSync(env.SVC_OTEL_SPOOL_DIR ?? '')).toEqual([]))
  program.kill('SIGTERM')
  const { stderr } = await program.ended
  return { all, stderr }
}

/** What is in the files of a folder, which are not compressed as long as a batch is open. */
function textIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('')
}

it('SVC_OTEL_SPOOL=always writes spans of open batches to disk, which survive a killed process', async () => {
  const intake = await useAbsentIntake()
  const folder = useFolder()
  const env = { SVC_OTEL_SPOOL_DIR: folder, SVC_OTEL_SPOOL: 'always' }
  const program = startSpans(intake, PLAN, { ...LONG, ...env })
  await program.printed(/^ready/m)
  await vi.waitFor(() => expect(textIn(folder)).toContain(`s${SPANS - 1}`), { timeout: 5_000, interval: 5 })
  program.kill('SIGKILL')
  expect(await program.ended).toMatchObject({ signal: 'SIGKILL', stderr: '' })
  expect(await arrivesNext(env, intake)).toEqual({ all: true, stderr: '' })
})

it('SVC_OTEL_SPOOL=overflow, the default, writes nothing while memory suffices', async () => {
  const intake = await useAbsentIntake()
  const folder = useFolder()
  const program = startSpans(intake, PLAN, { ...LONG, SVC_OTEL_SPOOL_DIR: folder })
  await program.printed(/^ready/m)
  program.kill('SIGKILL')
  await program.ended
  expect(readdirSync(folder)).toEqual([])
})

it('SVC_OTEL_SPOOL=always writes nothing without a directory, and spans are sent as usual', async () => {
  const intake = await useAbsentIntake()
  await intake.open()
  const plan = { make: { spans: SPANS }, end: 'naturally' } as const
  const { code, stderr } = await startSpans(intake, plan, { SVC_OTEL_SPOOL: 'always' }).ended
  expect({ code, stderr, arrived: intake.taken.size }).toEqual({ code: 0, stderr: '', arrived: SPANS })
})

import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { Plan } from '../faults/run.ts'
import { lostIn, names, startSpans, useAbsentIntake, useFolder, useIntake } from '../support/spans.ts'

const SPANS = 20
/** The next start is awaited, however long it takes. */
const WHENEVER = { timeout: 100_000 }

type Variables = Readonly<Record<string, string>>

/** Spans end while nothing listens; the next start finds what they left in the folder. */
async function leaveAndStartAgain(variables: Variables, make: Plan['make'] = { spans: SPANS }) {
  const intake = await useAbsentIntake()
  const folder = join(useFolder(), 'a', 'b')
  const env = { SVC_OTEL_SPOOL_DIR: folder, ...variables }
  const first = await startSpans(intake, { make, end: 'process.exit' }, env).ended
  expect(first.code).toBe(3)
  const left = readdirSync(folder).map((name) => join(folder, name))
  const bytes = left.reduce((sum, file) => sum + statSync(file).size, 0)
  const modes = [folder, ...left].map((path) => (statSync(path).mode & 0o777).toString(8))
  await intake.open()
  const again = startSpans(intake, { make: { spans: 0 }, end: 'a signal' }, env)
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), WHENEVER)
  again.kill('SIGTERM')
  const stderr = first.stderr + (await again.ended).stderr
  return { stdout: first.stdout, stderr, lost: lostIn(stderr), bytes, modes, arrived: [...intake.taken.keys()] }
}

it('SVC_OTEL_SPOOL_DIR keeps spans at the end of the process, for its user only, and the next start sends them', async () => {
  const { stdout, stderr, modes, arrived } = await leaveAndStartAgain({})
  expect(stdout).toMatch(/20 spans are left in the spool, for the next start\.$/m)
  expect(modes).toEqual(['700', '600'])
  expect({ stderr, arrived: arrived.toSorted() }).toEqual({ stderr: '', arrived: names(0, SPANS).toSorted() })
})

it('SVC_OTEL_SPOOL_DIR is not used where others can write, nor a file that is a link, and each is said in a line', async () => {
  const intake = await useIntake()
  const folder = useFolder()
  symlinkSync('/dev/zero', join(folder, 'ab12-1-0-1-x.left'))
  const end = async () =>
    (await startSpans(intake, { make: { spans: 1 }, end: 'naturally' }, { SVC_OTEL_SPOOL_DIR: folder }).ended).stderr
  expect(await end()).toMatch(/^.*A file of the spool is not used: .*ab12-1-0-1-x\.left is a symbolic link.*\n$/)
  chmodSync(folder, 0o777)
  expect(await end()).toMatch(/^.*SVC_OTEL_SPOOL_DIR=.* cannot be used, .* can be written by other users.*\n$/)
  expect([readdirSync(folder), intake.taken.get('s0')]).toEqual([['ab12-1-0-1-x.left'], 2])
})

it('SVC_OTEL_SPOOL=always writes spans of open batches to disk, which survive a killed process', async () => {
  const intake = await useAbsentIntake()
  const folder = useFolder()
  const env = { SVC_OTEL_SPOOL_DIR: folder, SVC_OTEL_SPOOL: 'always', SVC_FLUSH_INTERVAL: '60' }
  const program = startSpans(intake, { make: { spans: SPANS }, end: 'a signal' }, env)
  // What is in the files is not compressed as long as a batch is open.
  const written = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  await vi.waitFor(() => expect(written().join('')).toContain(`s${SPANS - 1}`), WHENEVER)
  program.kill('SIGKILL')
  expect(await program.ended).toMatchObject({ signal: 'SIGKILL', stderr: '' })
  await intake.open()
  const again = startSpans(intake, { make: { spans: 0 }, end: 'a signal' }, env)
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), WHENEVER)
  again.kill('SIGTERM')
  expect((await again.ended).stderr).toBe('')
  expect([...intake.taken.keys()].toSorted()).toEqual(names(0, SPANS).toSorted())
})

it('SVC_OTEL_SPOOL_MAX_AGE is how many seconds spans are kept on disk, until they are dropped and counted', async () => {
  const { arrived, lost, stderr } = await leaveAndStartAgain({ SVC_OTEL_SPOOL_MAX_AGE: '0.001' })
  expect(stderr).toMatch(/Spans in the spool are kept for 0\.001 s \(SVC_OTEL_SPOOL_MAX_AGE\)\. 20 spans are lost\./)
  expect({ arrived, lost }).toEqual({ arrived: [], lost: SPANS })
})

it('SVC_OTEL_SPOOL_MAX_BYTES limits the folder: what does not fit is dropped and counted', async () => {
  const limit = 1_000_000
  // 2.7 MB that cannot be compressed: memory has room for them, so that nothing else is full, however slow the machine.
  const spans = 600
  const { arrived, bytes, lost, stderr } = await leaveAndStartAgain(
    { SVC_OTEL_SPOOL_MAX_BYTES: String(limit), SVC_FLUSH_AT: '50' },
    { spans, size: 'random' },
  )
  expect(bytes).toBeLessThanOrEqual(limit)
  expect(bytes).toBeGreaterThan(limit / 2)
  expect(stderr).toMatch(/The spool is full \(1000000 bytes, SVC_OTEL_SPOOL_MAX_BYTES\)\. \d+ spans are lost\./)
  expect(arrived).toHaveLength(spans - lost)
  expect(arrived).toContain(`s${spans - 1}`)
})

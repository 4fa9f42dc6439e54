import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import type { FaultyIntake } from '../faults/intake.ts'
import { runNode } from '../support/run.ts'
import { lostIn, names, startSpans, useAbsentIntake, useFolder, useIntake } from '../support/spans.ts'

const endsAtOnce = fileURLToPath(new URL('ends-at-once.mjs', import.meta.url))
const SPANS = 20
const make = { spans: SPANS }

type Variables = Readonly<Record<string, string>>

/** Spans of a process that ends while nothing listens. */
const leave = (intake: FaultyIntake, env: Variables, first = 0) =>
  startSpans(intake, { make, first, end: 'process.exit' }, env).ended

/** The next start, which makes no spans: what arrives was left. It lives until so many files are left of them. */
async function startAgain(intake: FaultyIntake, env: { readonly SVC_OTEL_SPOOL_DIR: string }, files = 0) {
  await intake.open()
  const program = startSpans(intake, { make: { spans: 0 }, end: 'a signal' }, env)
  await vi.waitFor(() => expect(readdirSync(env.SVC_OTEL_SPOOL_DIR)).toHaveLength(files), { timeout: 100_000 })
  program.kill('SIGTERM')
  const { stderr } = await program.ended
  return { stderr, arrived: [...intake.taken.keys()].toSorted() }
}

it('SVC_OTEL_SPOOL_DIR is unset by default: the same spans are lost with a warning', async () => {
  const intake = await useAbsentIntake()
  const { stderr } = await leave(intake, {})
  expect(lostIn(stderr)).toBe(SPANS)
})

it('SVC_OTEL_SPOOL_DIR keeps spans that are too old, which are sent when the service is back', async () => {
  const intake = await useIntake({ when: { first: 3 }, reaction: { status: 503 } })
  const env = { SVC_OTEL_SPOOL_DIR: useFolder(), SVC_OTEL_MAX_RETRY_AGE: '0.1' }
  const program = startSpans(intake, { make, end: 'a signal' }, env)
  expect(await intake.has(SPANS, 100_000)).toBe(true)
  program.kill('SIGTERM')
  expect((await program.ended).stderr).toBe('')
})

it('SVC_OTEL_SPOOL_DIR keeps spans beyond the memory limit, which are sent when the service is back', async () => {
  const spans = 1_000
  const intake = await useAbsentIntake()
  const folder = useFolder()
  const env = { SVC_OTEL_SPOOL_DIR: folder, SVC_OTEL_MAX_QUEUE_BYTES: '2000000', SVC_FLUSH_AT: '50' }
  // 4.5 MB in a second.
  const program = startSpans(intake, { make: { spans, perSecond: 1_000, size: 'random' }, end: 'a signal' }, env)
  await program.printed(/^ready/m)
  expect(readdirSync(folder)).toHaveLength(1)
  await intake.open()
  expect(await intake.has(spans, 100_000)).toBe(true)
  program.kill('SIGTERM')
  expect((await program.ended).stderr).toBe('')
})

it('SVC_OTEL_SPOOL_DIR may be shared: the next start sends spans of two processes', async () => {
  const intake = await useAbsentIntake()
  const folder = useFolder()
  const env = { SVC_OTEL_SPOOL_DIR: folder }
  await Promise.all([leave(intake, env), leave(intake, env, SPANS)])
  const { arrived } = await startAgain(intake, env)
  expect(arrived).toEqual(names(0, 2 * SPANS).toSorted())
})

it('SVC_OTEL_SPOOL_DIR keeps spans of another process if this one ends while reading them', async () => {
  const intake = await useAbsentIntake()
  const env = { SVC_OTEL_SPOOL_DIR: useFolder() }
  await leave(intake, env)
  const keys = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: intake.url }
  const { code } = await runNode([endsAtOnce], { env: { ...keys, ...env } })
  expect(code).toBe(0)
  const { arrived } = await startAgain(intake, env)
  expect(arrived).toEqual(['at once', ...names(0, SPANS)].toSorted())
})

it('SVC_OTEL_SPOOL_DIR keeps spans of one key from a process with another', async () => {
  const intake = await useAbsentIntake()
  const folder = useFolder()
  const env = { SVC_OTEL_SPOOL_DIR: folder }
  await leave(intake, { ...env, SVC_PUBLIC_KEY: 'pk-other' })
  await leave(intake, env, SPANS)
  const { arrived } = await startAgain(intake, env, 1)
  expect(arrived).toEqual(names(SPANS, 2 * SPANS).toSorted())
})

it('an unusable SVC_OTEL_SPOOL_DIR is reported in one line, and spans are sent as usual', async () => {
  const intake = await useIntake()
  const file = join(useFolder(), 'file')
  writeFileSync(file, '')
  const { stderr } = await leave(intake, { SVC_OTEL_SPOOL_DIR: file })
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/SVC_OTEL_SPOOL_DIR=".*\/file" cannot be used, so nothing is kept on disk: /),
  ])
  expect(intake.taken.size).toBe(SPANS)
})

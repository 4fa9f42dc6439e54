import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startNode } from '../support/run.ts'

const app = fileURLToPath(new URL('./apps/end.mjs', import.meta.url))
const PRELOAD = ['--import', '@svc/register']
const cwd = fileURLToPath(new URL('.', import.meta.url))
let local: LocalService
beforeAll(async () => {
  local = await startLocal()
})
afterAll(() => local.close())

interface Way {
  readonly preload?: readonly string[]
  readonly signals?: readonly NodeJS.Signals[]
  readonly scores?: 'without scores'
  readonly env?: Readonly<Record<string, string>>
}

let runs = 0

const sizesIn = (folder: string) => readdirSync(folder).map((name) => statSync(join(folder, name)).size)
const namesOf = (environment: string) =>
  local
    .scores()
    .filter((score) => score.environment === environment)
    .map(({ name }) => name)

/** Runs one way to end, and tells how the process ended, what it complained about, and which scores arrived. */
async function end(way: string, { preload = [], signals = [], scores, env }: Way = {}) {
  runs += 1
  const environment = `run-${runs}`
  const program = startNode([...preload, app, way, ...(scores ? [scores] : [])], {
    cwd,
    // On a busy machine the last scores need longer than the 2 s that they have.
    env: { ...local.env, SVC_SHUTDOWN_TIMEOUT: '30', SVC_TRACING_ENVIRONMENT: environment, ...env },
  })
  await program.printed(/scored/)
  for (const signal of signals) program.kill(signal)
  const { code, signal, stdout, stderr } = await program.ended
  const arrived = local.scores().filter((score) => score.environment === environment)
  return { ended: { code, signal, stdout }, stderr, arrived: arrived.map(({ name }) => name).toSorted() }
}

const WAYS: readonly (readonly [way: string, signals: readonly NodeJS.Signals[], scores: readonly string[]])[] = [
  ['naturally', [], ['first']],
  ['with exitCode 3', [], ['first']],
  ['after a flush', [], ['first']],
  ['after cleaning up', [], ['first']],
  ['with a score of its last moment', [], ['first', 'last']],
  ['in a listener to exit', [], ['first', 'last']],
  ['with a batch under way', [], ['first']],
  ['by signal, unhandled', ['SIGTERM'], ['first']],
  ['by signal, unhandled', ['SIGINT'], ['first']],
  ['by signal, handler exits 0', ['SIGTERM'], ['first']],
  ['by signal, handler gives a last score', ['SIGTERM'], ['first', 'last']],
  ['by signal, handler sends it again', ['SIGTERM'], ['first']],
]

/** The exit gate is the same; here another component opens it. */
const UNDER_THE_PRELOAD = new Set(['naturally', 'with a batch under way', 'by signal, handler gives a last score'])

describe.concurrent('a process ends as without svc, and its last scores arrive:', () => {
  it.each(WAYS)('%s %j', async (way, signals, scores) => {
    const bare = await end(way, { signals, scores: 'without scores' })
    const { ended, stderr, arrived } = await end(way, { signals })
    expect({ ended, stderr, arrived }).toEqual({ ended: bare.ended, stderr: '', arrived: scores })
  })

  it.each(WAYS.filter(([way]) => UNDER_THE_PRELOAD.has(way)))(
    'with the preload: %s %j',
    async (way, signals, scores) => {
      const { stderr, arrived } = await end(way, { preload: PRELOAD, signals })
      expect({ stderr, arrived }).toEqual({ stderr: '', arrived: scores })
    },
  )
})

it('spans and scores are delivered by the same exit handling', async () => {
  const spans = local.spans().length
  const { ended, arrived } = await end('with a span', { preload: PRELOAD })
  expect({ code: ended.code, arrived, spans: local.spans().length }).toEqual({
    code: 0,
    arrived: ['first'],
    spans: spans + 1,
  })
})

it('every score that is lost at the end is counted', async () => {
  const env = { SVC_BASE_URL: 'http://127.0.0.1:1' }
  const { ended, stderr } = await end('with another score behind the batch under way', { env })
  expect(ended.code).toBe(0)
  expect(stderr).toMatch(/\[ERROR\] Cannot reach 127\.0\.0\.1:1: .* 2 scores are lost\.$/m)
})

describe('scores with a spool', () => {
  it.each(['naturally', 'by process.exit()'])('that could not be sent are sent by the next start: %s', async (way) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-scores-'))
    const away = await startLocal()
    const { port } = new URL(away.url)
    await away.close()
    const env = { ...away.env, SVC_OTEL_SPOOL_DIR: folder, SVC_LOG_LEVEL: 'INFO' }
    const first = await end(way, { env })
    expect(first.stderr).toBe('')
    expect(first.ended.stdout).toMatch(/1 score is left in the spool, for the next start\./)
    const back = await startLocal({ port: Number(port) })
    const { stderr } = await end('naturally', { env, scores: 'without scores' })
    const taken = await end('with a score of its last moment', { env })
    expect([stderr, taken.stderr]).toEqual(['', ''])
    await back.waitFor(({ scores }) => scores().length === 3)
    expect(back.scores().map(({ name }) => name)).toEqual(expect.arrayContaining(['first', 'first', 'last']))
    expect(readdirSync(folder)).toEqual([])
    await back.close()
    rmSync(folder, { recursive: true })
  })

  it('with SVC_OTEL_SPOOL=always survive a killed process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-scores-'))
    const env = { SVC_OTEL_SPOOL_DIR: folder, SVC_OTEL_SPOOL: 'always', SVC_TRACING_ENVIRONMENT: 'killed' }
    const program = startNode([app, 'by signal, unhandled'], { cwd, env: { ...local.env, ...env } })
    const HEADER = 32
    await vi.waitFor(() => expect(sizesIn(folder)).toContainEqual(expect.toSatisfy((size) => size > HEADER)), 10_000)
    program.kill('SIGKILL')
    await program.ended
    expect(namesOf('killed')).toEqual([])
    // It has a score of its own.
    await end('naturally', { env })
    expect(namesOf('killed')).toEqual(['first', 'first'])
    rmSync(folder, { recursive: true })
  })
})

it('a process that crashes ends as without svc', async () => {
  const bare = await end('with a throw', { scores: 'without scores' })
  const { ended } = await end('with a throw')
  expect(ended).toEqual(bare.ended)
  expect(ended.code).toBe(1)
})

it('a signal that the application ignores does not end the process', async () => {
  const program = startNode([app, 'by signal, ignored once'], { cwd, env: local.env })
  await program.printed(/scored/)
  program.kill('SIGTERM')
  await program.printed(/not now/)
  program.kill('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 5, signal: null })
})

describe('a hanging service delays a process at most SVC_SHUTDOWN_TIMEOUT:', () => {
  // The requests themselves would wait for a minute.
  const env = { SVC_SHUTDOWN_TIMEOUT: '0.3', SVC_TIMEOUT: '60' }
  it.each([
    ['naturally', []],
    ['with a batch under way', []],
    ['by signal, unhandled', ['SIGTERM']],
    ['by signal, handler exits 0', ['SIGTERM']],
  ] as const)('%s %j', async (way, signals) => {
    const planned = local.respond('POST /api/public/scores', { until: new Promise(() => {}), times: 9 })
    const bare = await end(way, { signals, scores: 'without scores' })
    const { ended, stderr } = await end(way, { signals, env })
    planned.stop()
    expect(ended).toEqual(bare.ended)
    expect(stderr).toMatch(
      /gave up on the last scores: http:\S+ did not accept them within 0\.3 s \(SVC_SHUTDOWN_TIMEOUT\)/,
    )
  })
})

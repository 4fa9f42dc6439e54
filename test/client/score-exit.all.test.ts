import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { GAVE_UP, HANGING, PRELOAD, useEnds, type Way } from './end-support.ts'

const ends = useEnds()

describe('a process ends as without svc, and its last scores arrive, also:', () => {
  it.each<[way: string, Way]>([
    ['with exitCode 3', { code: 3 }],
    ['in a listener to exit', { scores: ['first', 'last'] }],
    ['with a batch under way', {}],
    ['after a flush', {}],
    ['after cleaning up', { stdout: 'scored\ncleaned up 1 times\n' }],
    ['by signal, unhandled', { signals: ['SIGINT'], signal: 'SIGINT' }],
    ['by signal, handler exits 0', { signals: ['SIGTERM'] }],
    ['by signal, handler sends it again', { signals: ['SIGTERM'], signal: 'SIGTERM' }],
  ])('%s', ends.expectEnd)

  // The exit gate is the same; here another component opens it.
  it.each<[way: string, Way]>([
    ['naturally', {}],
    ['with a batch under way', {}],
    ['by signal, handler gives a last score', { signals: ['SIGTERM'], code: 7, scores: ['first', 'last'] }],
  ])('under the preload, %s', (name, way) => ends.expectEnd(name, { preload: PRELOAD, ...way }))
})

it('scores that could not be sent are left in the spool, and sent by the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scores-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = { SVC_OTEL_SPOOL_DIR: folder, SVC_LOG_LEVEL: 'INFO', SVC_TRACING_ENVIRONMENT: 'spooled' }
  const away = ends.local.respond('POST /api/public/scores', { drop: true, times: Number.POSITIVE_INFINITY })
  const first = await ends.end('by process.exit()', { env })
  away.stop()
  expect(first.stderr).toBe('')
  expect(first.ended.stdout).toMatch(/1 score is left in the spool, for the next start\./)
  expect((await ends.end('with a score of its last moment', { env })).stderr).toBe('')
  expect(ends.namesOf('spooled')).toEqual(['first', 'first', 'last'])
  expect(readdirSync(folder)).toEqual([])
})

it('a signal that the application ignores does not end the process', async () => {
  const program = await ends.start('by signal, ignored once')
  program.kill('SIGTERM')
  await program.printed(/not now/)
  program.kill('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 5, signal: null })
})

it('with SVC_OTEL_SPOOL=always scores survive a killed process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scores-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = { SVC_OTEL_SPOOL_DIR: folder, SVC_OTEL_SPOOL: 'always', SVC_TRACING_ENVIRONMENT: 'killed' }
  const program = await ends.start('by signal, unhandled', { env })
  const HEADER = 32
  const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  await vi.waitFor(() => expect(sizes()).toContainEqual(expect.toSatisfy((size) => size > HEADER)), 60_000)
  program.kill('SIGKILL')
  await program.ended
  expect(ends.namesOf('killed')).toEqual([])
  // It has a score of its own.
  await ends.end('naturally', { env })
  expect(ends.namesOf('killed')).toEqual(['first', 'first'])
})

it('a process that crashes ends as without svc', async () => {
  const { ended, stderr } = await ends.end('with a throw')
  expect(ended).toEqual({ code: 1, signal: null, stdout: 'scored\n' })
  expect(stderr).toContain('Error: the application failed')
})

describe('a hanging service delays a process at most SVC_SHUTDOWN_TIMEOUT:', () => {
  it.each<[way: string, Way]>([
    ['naturally', {}],
    ['with a batch under way', {}],
    ['by signal, handler exits 0', { signals: ['SIGTERM'] }],
  ])('%s', async (name, way) => {
    const hanging = ends.local.respond('POST /api/public/scores', { until: new Promise(() => {}), times: 9 })
    const { ended, stderr } = await ends.end(name, { ...way, env: HANGING })
    hanging.stop()
    expect(ended).toEqual({ code: 0, signal: null, stdout: 'scored\n' })
    expect(stderr).toMatch(GAVE_UP)
  })
})

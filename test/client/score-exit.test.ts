import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { GAVE_UP, HANGING, PRELOAD, useEnds, type Way } from './end-support.ts'

const ends = useEnds()

// How each ends is what Node does with it: the code, the signal, and what the application says.
describe('a process ends as without svc, and its last scores arrive:', () => {
  it.each<[way: string, Way]>([
    ['naturally', {}],
    ['with a score of its last moment', { stdout: 'scored\nthe last moment\n', scores: ['first', 'last'] }],
    ['in a listener to exit', { scores: ['first', 'last'] }],
    ['with a batch under way', {}],
    ['by signal, unhandled', { signals: ['SIGTERM'], signal: 'SIGTERM' }],
    ['by signal, handler gives a last score', { signals: ['SIGTERM'], code: 7, scores: ['first', 'last'] }],
  ])('%s', ends.expectEnd)
})

it('spans and scores are delivered by the same exit handling', async () => {
  const { ended, arrived } = await ends.end('with a span', { preload: PRELOAD })
  expect({ code: ended.code, arrived, spans: ends.local.spans().length }).toEqual({
    code: 0,
    arrived: ['first'],
    spans: 1,
  })
})

it('every score that is lost at the end is counted', async () => {
  const env = { SVC_BASE_URL: 'http://127.0.0.1:1' }
  const { ended, stderr } = await ends.end('with another score behind the batch under way', { env })
  expect(ended.code).toBe(0)
  expect(stderr).toMatch(/\[ERROR\] Cannot reach 127\.0\.0\.1:1: .* 2 scores are lost\.$/m)
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

it('a hanging service delays a signal at most SVC_SHUTDOWN_TIMEOUT', async () => {
  const hanging = ends.local.respond('POST /api/public/scores', { until: new Promise(() => {}), times: 9 })
  const { ended, stderr } = await ends.end('by signal, unhandled', { signals: ['SIGTERM'], env: HANGING })
  hanging.stop()
  expect(ended).toMatchObject({ code: null, signal: 'SIGTERM' })
  expect(stderr).toMatch(GAVE_UP)
})

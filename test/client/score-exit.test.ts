import { describe, expect, it } from 'vitest'
import { GAVE_UP, HANGING, PRELOAD, useEnds, type Way } from './end-support.ts'

const ends = useEnds()

// How each ends is what Node does with it: the code, the signal, and what the application says.
describe('a process ends as without svc, and its last scores arrive:', () => {
  it.each<[way: string, Way]>([
    ['naturally', {}],
    ['with a score of its last moment', { stdout: 'scored\nthe last moment\n', scores: ['first', 'last'] }],
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

it('a hanging service delays a signal at most SVC_SHUTDOWN_TIMEOUT', async () => {
  const hanging = ends.local.respond('POST /api/public/scores', { until: new Promise(() => {}), times: 9 })
  const { ended, stderr } = await ends.end('by signal, unhandled', { signals: ['SIGTERM'], env: HANGING })
  hanging.stop()
  expect(ended).toMatchObject({ code: null, signal: 'SIGTERM' })
  expect(stderr).toMatch(GAVE_UP)
})

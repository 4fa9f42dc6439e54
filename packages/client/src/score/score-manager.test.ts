import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiPromise } from '../api/call.ts'
import { SvcAPIError, SvcAPITimeoutError } from '../api/errors.ts'
import type { CreateScoreBatchResponse, CreateScoreRequest } from '../api/types/scores.ts'
import { ScoreManager } from './score-manager.ts'

let said: string[]
beforeEach(() => {
  said = []
  vi.spyOn(console, 'error').mockImplementation((line) => void said.push(line))
  configureGlobalLogger({ level: LogLevel.ERROR, prefix: 'svc:', enableTimestamp: false })
})
afterEach(() => {
  vi.restoreAllMocks()
  resetGlobalLogger()
})

/** A manager whose batches are answered by `answer`, and the batches. */
function manager(answer: () => Promise<unknown>) {
  const batches: (readonly CreateScoreRequest[])[] = []
  const accepted = { data: { message: 'Accepted' }, rawResponse: { status: 202 } as Response }
  const scores = new ScoreManager({
    api: {
      scores: {
        create: (batch) => {
          batches.push(batch)
          return new ApiPromise<CreateScoreBatchResponse>(answer().then(() => accepted))
        },
      },
    },
    clock: { now: () => 0 },
    environment: undefined,
    flushAt: 1_000_000,
    flushEvery: 1_000_000,
    exitTimeout: 0,
    destination: 'the service',
  })
  return { scores, batches }
}

it('a batch without an answer in time is sent once more, then lost with a line', async () => {
  const { scores, batches } = manager(() => Promise.reject(new SvcAPITimeoutError('Timeout exceeded.')))
  scores.create({ name: 'n', value: 1 })
  await scores.flush()
  expect(batches).toHaveLength(2)
  expect(batches[1]).toEqual(batches[0])
  expect(said).toEqual(['svc: [ERROR] Failed to export score batch: Timeout exceeded. 1 score is lost.'])
})

it('a batch with an answer is not sent again', async () => {
  const { scores, batches } = manager(() => Promise.reject(new SvcAPIError('no.', { statusCode: 400 })))
  scores.create({ name: 'n', value: 1 })
  await scores.flush()
  expect(batches).toHaveLength(1)
})

it('a full queue takes no more, and says how many it did not take', async () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const { scores, batches } = manager(() => opened)
  for (let n = 0; n < 100_007; n++) scores.create({ name: 'n', value: n })
  expect(said).toEqual([
    'svc: [ERROR] The score queue is full: scores come faster than the service takes them. 1 score is lost.',
  ])
  open()
  await scores.shutdown()
  expect(batches.flat()).toHaveLength(100_000)
  expect(said[1]).toMatch(/6 scores are lost\.$/)
})

import { expect, it, vi } from 'vitest'
import { ScoreQueue } from './score-queue.ts'

it('a flush covers what was added before it, however close to the end of the flush before', async () => {
  for (let microtasks = 0; microtasks < 20; microtasks++) {
    const sent: string[] = []
    let arrived = () => {}
    const answered = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const queue = new ScoreQueue({
      flushAt: 100,
      flushEvery: 1_000_000,
      exitTimeout: 0,
      outboxOf: () => undefined,
      lose: () => {},
      unsaid: () => false,
      sayRest: () => {},
      send: async (scores) => {
        if (sent.length === 0) await answered
        sent.push(...scores)
      },
    })
    queue.add('first')
    const first = queue.flush()
    arrived()
    for (let turn = 0; turn < microtasks; turn++) await null
    queue.add('second')
    await queue.flush()
    expect({ microtasks, sent }).toEqual({ microtasks, sent: ['first', 'second'] })
    await first
  }
})

it('scores that wait take no more memory than they may, however large each is', async () => {
  const sent: number[] = []
  const queue = new ScoreQueue({
    flushAt: 1_000,
    flushEvery: 1_000_000,
    exitTimeout: 0,
    outboxOf: () => undefined,
    lose: () => {},
    unsaid: () => false,
    sayRest: () => {},
    send: async (scores) => void sent.push(scores.length),
  })
  const large = 'x'.repeat(2 ** 20)
  const taken = Array.from({ length: 70 }, () => queue.add(large)).filter(Boolean).length
  expect(taken).toBe(64)
  await queue.flush()
  expect(sent).toHaveLength(64)
  expect(queue.add(large)).toBe(true)
  await queue.flush()
})

it('what came while a batch was under way leaves side by side', async () => {
  const underway: (readonly string[])[] = []
  const answers: (() => void)[] = []
  const queue = new ScoreQueue({
    flushAt: 1,
    flushEvery: 1_000_000,
    exitTimeout: 0,
    outboxOf: () => undefined,
    lose: () => {},
    unsaid: () => false,
    sayRest: () => {},
    send: (scores) => {
      underway.push(scores)
      return new Promise((resolve) => answers.push(resolve))
    },
  })
  for (let n = 0; n <= 250; n++) queue.add(`score ${n}`)
  const flushed = queue.flush()
  answers.shift()?.()
  await vi.waitFor(() => expect(underway.map(({ length }) => length)).toEqual([1, 100, 100, 50]))
  for (const answer of answers) answer()
  await flushed
})

it('a shutdown towards a service that hangs takes no longer than the end of a process, and says what is lost', async () => {
  vi.useFakeTimers()
  const lost: number[] = []
  const queue = new ScoreQueue({
    flushAt: 100,
    flushEvery: 1_000_000,
    exitTimeout: 2_000,
    outboxOf: () => undefined,
    lose: (scores) => void lost.push(scores),
    unsaid: () => false,
    sayRest: () => {},
    send: () => new Promise(() => {}),
  })
  for (const score of ['a', 'b']) queue.add(score)
  let ended = false
  const shutdown = queue.shutdown().then(() => {
    ended = true
  })
  await vi.advanceTimersByTimeAsync(1_999)
  expect(ended).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await shutdown
  expect(lost).toEqual([2])
  vi.useRealTimers()
})

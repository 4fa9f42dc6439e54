import { expect, it } from 'vitest'
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
      destination: 'the service',
      onEnd: () => {},
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

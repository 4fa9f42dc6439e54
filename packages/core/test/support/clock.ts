import type { RetryClock } from '../../src/retry.ts'

/** Time that passes during `sleep` and `pass`, and chance that always says `random`. */
export function fakeClock(random = 1): RetryClock & { slept: number[]; pass(ms: number): void } {
  let time = 0
  const slept: number[] = []
  return {
    slept,
    now: () => time,
    random: () => random,
    pass: (ms) => {
      time += ms
    },
    async sleep(ms) {
      slept.push(ms)
      time += ms
    },
  }
}

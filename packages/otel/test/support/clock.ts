import type { UploadClock } from '../../src/media/retry.ts'

/** Time that passes when somebody sleeps or a test says so, and chance that always says `random`. */
export function fakeClock(random = 1): UploadClock & { slept: number[]; pass(ms: number): void } {
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

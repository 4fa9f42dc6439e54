import type { Clock } from '../../src/delivery/clock.ts'

/** Time that passes when a test says so, and chance that always says `random`. */
export function fakeClock(random = 1): Clock & { pass(ms: number): void } {
  let time = 0
  return {
    now: () => time,
    random: () => random,
    pass: (ms) => {
      time += ms
    },
  }
}

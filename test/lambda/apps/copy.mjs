// A preload: a process that is one of many copies of a snapshot. Until its first invocation they all draw the same random
// numbers. Whenever it has waited for an invocation, THAWED milliseconds are over by its time of day, and by the clock that
// durations are measured with if THAWED_CLOCKS says so.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { randomBytes } = crypto
crypto.randomBytes = (size) => Buffer.alloc(size, 7)
syncBuiltinESMExports()

const { THAWED = '0', THAWED_CLOCKS } = process.env
let frozen = 0
for (const clock of THAWED_CLOCKS === 'both' ? [Date, performance] : [Date]) {
  const now = clock.now.bind(clock)
  clock.now = () => now() + frozen
}

globalThis.thawed = () => {
  crypto.randomBytes = randomBytes
  syncBuiltinESMExports()
  frozen += Number(THAWED)
}

// The clocks and timers of the process run CLOCK_SPEED times as fast, and its time of day jumps by CLOCK_JUMP milliseconds,
// two seconds after the start.
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'

const { CLOCK_SPEED = '1', CLOCK_JUMP = '0' } = process.env
const speed = Number(CLOCK_SPEED)
let offset = 0

for (const clock of [performance, Date]) {
  const now = clock.now.bind(clock)
  const started = now()
  clock.now = () => started + (now() - started) * speed + (clock === Date ? offset : 0)
}
for (const name of ['setTimeout', 'setInterval']) {
  const start = timers[name]
  timers[name] = (work, ms = 0, ...rest) => start(work, ms / speed, ...rest)
  globalThis[name] = timers[name]
}
// The published preload imports them.
syncBuiltinESMExports()

setTimeout(() => {
  offset = Number(CLOCK_JUMP)
}, 2_000).unref()

// The time of day jumps, by CLOCK_JUMP milliseconds, two seconds after the start.
const now = Date.now.bind(Date)
const { CLOCK_JUMP = '0' } = process.env
let offset = 0
Date.now = () => now() + offset
setTimeout(() => {
  offset = Number(CLOCK_JUMP)
}, 2_000).unref()

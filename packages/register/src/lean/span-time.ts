import type { HrTime, TimeInput } from '@opentelemetry/api'
import { hrTime, isTimeInputHrTime, millisToHrTime } from '@opentelemetry/core'

const NANOSECONDS = 1_000_000_000

/** The time that is `ms` milliseconds after `start`. */
export function laterBy(ms: number, start: HrTime): HrTime {
  const seconds = start[0] + Math.trunc(ms / 1_000)
  const nanoseconds = start[1] + Math.round((ms % 1_000) * 1e6)
  return nanoseconds < NANOSECONDS ? [seconds, nanoseconds] : [seconds + 1, nanoseconds - NANOSECONDS]
}

/**
 * A time that the caller of a span has given; undefined for what is none.
 *
 * @param ahead the system clock minus the monotonic clock
 */
export function givenTime(time: TimeInput, ahead: number): HrTime | undefined {
  // OpenTelemetry treats a small number as a reading of the monotonic clock.
  if (typeof time === 'number') {
    return time <= performance.now() ? hrTime(time + ahead - performance.timeOrigin) : millisToHrTime(time)
  }
  if (time instanceof Date) return millisToHrTime(time.getTime())
  return isTimeInputHrTime(time) ? [...time] : undefined
}

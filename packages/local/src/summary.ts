import { LEVELS, type Level } from './observation.ts'
import type { Trace } from './trace.ts'

/** From the first start to the last end in a trace, ISO 8601. */
export function extentOf({ observations }: Trace): { startTime: string; endTime: string } {
  const starts = observations.map(({ startTime }) => startTime).sort()
  const ends = observations.map(({ endTime }) => endTime).sort()
  return { startTime: starts[0] ?? '', endTime: ends.at(-1) ?? '' }
}

/** Tokens of all observations of a trace, by kind. */
export function totalUsage({ observations }: Trace): Record<string, number> {
  const total = new Map<string, number>()
  for (const [kind, count] of observations.flatMap(({ usage }) => Object.entries(usage))) {
    total.set(kind, (total.get(kind) ?? 0) + count)
  }
  return Object.fromEntries(total)
}

/** The level that matters most in a trace. */
export function worstLevel({ observations }: Trace): Level {
  const ranks = observations.map(({ level }) => LEVELS.indexOf(level))
  const worst = ranks.reduce((most, rank) => Math.max(most, rank), LEVELS.indexOf('DEFAULT'))
  return LEVELS[worst] ?? 'DEFAULT'
}

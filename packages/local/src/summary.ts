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

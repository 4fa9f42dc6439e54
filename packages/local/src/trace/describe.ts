import { tokensOf } from '../store/trace.ts'

/** Time between start and end for people: `12 ms`, `1.24 s`. */
export function describeLatency({ startTime, endTime }: { startTime: string; endTime: string }): string {
  const ms = Math.max(0, Date.parse(endTime) - Date.parse(startTime))
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(2)} s`
}

/** Tokens for people: `12 → 34 tokens`, cached and reasoning ones included; null where none were counted. */
export function describeTokens(usage: Readonly<Record<string, number>>): string | null {
  const { input, output, total } = tokensOf(usage)
  if (input + output > 0) return `${input} → ${output} tokens`
  return total > 0 ? `${total} tokens` : null
}

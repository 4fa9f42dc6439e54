import type { Result, Variant } from './run.ts'

/** One fault or one way to end, run for each variant. */
export interface Case {
  readonly group: string
  readonly name: string
  readonly run: (variant: Variant) => Promise<Result>
  readonly expected: Expected
  /** The deadline of the product ends it: nobody answers. All others have deadlines that a busy machine keeps. */
  readonly isTimed?: boolean
  /** It waits for minutes: tests have it by a fast clock. */
  readonly isSlow?: boolean
  /** The stock preload has nothing like it. */
  readonly isOurs?: boolean
}

/** What has to be true of svc. The reported loss always equals the real loss, except where the process was killed. */
export interface Expected {
  /** Spans that are lost at most. Default 0. */
  readonly lost?: number
  /** The process was killed: it could not report anything. */
  readonly isMute?: true
  /** The end of the process as it is without us. Default: code 0. */
  readonly code?: number | null
  readonly signal?: NodeJS.Signals | null
  /** Milliseconds that the end may take on a machine that does nothing else. */
  readonly exitMs?: number
  /** What the output has. */
  readonly output?: RegExp
  readonly mayDuplicate?: true
}

/** Milliseconds that a process may take to end beside what it waits for. */
const TEARDOWN_MS = 3_000
export const DEADLINE_MS = 2_000

/** What is wrong with a result: nothing, in a perfect world. */
export function problemsOf(
  { lost = 0, isMute, code = 0, signal = null, ...expected }: Expected,
  result: Result,
): string[] {
  const problems: string[] = []
  if (result.lost > lost) problems.push(`lost ${result.lost} of ${result.made}, may lose ${lost}`)
  if (!isMute && result.reported !== Math.max(0, result.lost))
    problems.push(`lost ${result.lost}, reported ${result.reported}`)
  if (result.code !== code || result.signal !== signal) {
    problems.push(`ended with ${result.code ?? result.signal}, expected ${code ?? signal}`)
  }
  if (!expected.mayDuplicate && result.duplicates > 0) problems.push(`${result.duplicates} duplicates`)
  if (expected.output && !expected.output.test(result.stdout + result.stderr))
    problems.push(`does not say ${expected.output}`)
  return problems.length > 0 ? [...problems, result.stderr] : []
}

/** The same of its time: only a machine that does nothing else can tell. */
export function latenessOf({ exitMs = Number.POSITIVE_INFINITY }: Expected, result: Result): string[] {
  return result.exitMs > exitMs + TEARDOWN_MS ? [`took ${result.exitMs} ms to end, expected ${exitMs} at most`] : []
}

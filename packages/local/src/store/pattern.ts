import { createContext, Script } from 'node:vm'
import { foreignText } from '@svc/core/foreign-text'
import { log } from '@svc/core/log'

/** A pattern of a definition, and whether it is without regard to case. */
export interface Pattern {
  readonly source: string
  readonly flags?: '' | 'i'
}

/** Longer texts are no names, and fit no pattern. */
export const LONGEST_NAME = 200
const LONGEST_PATTERN = 1_000
/** How often what counts may repeat a part: V8 writes each repetition down, before it matches anything. */
const MOST_REPEATS = 10_000
/** Milliseconds after which a pattern is too slow for one text. */
const SLOW_MS = 20

/** Patterns that were too slow. They fit nothing until the next start. */
const off = new Set<string>()

/**
 * A pattern as JavaScript has it: `(?i)` at its beginning is a flag.
 *
 * @throws SyntaxError
 */
export function patternOf({ source, flags = '' }: Pattern): RegExp {
  return source.startsWith('(?i)') ? new RegExp(source.slice(4), 'i') : new RegExp(source, flags)
}

/** Why a pattern is not taken; undefined when it is. */
export function patternIssue(source: string): string | undefined {
  if (source.length > LONGEST_PATTERN) return `expected at most ${LONGEST_PATTERN} characters`
  if (repeats(source) > MOST_REPEATS) return `its counts repeat a part more than ${MOST_REPEATS} times`
  try {
    const pattern = patternOf({ source })
    const done = within(SLOW_MS, () => PROBES.some((probe) => pattern.test(probe)))
    return done ? undefined : 'it takes too long for a long name: leave out repetitions of repetitions'
  } catch {
    return 'expected a regular expression, such as (?i)^(gpt-4.1)$'
  }
}

/** Names on which patterns that repeat repetitions take for ever, because none of them fits at its end. */
const PROBES = ['a', '1', '-', '.', '/', 'a1', 'a-', 'a.', '1.', 'a/'].map(
  (part) => `${part.repeat(LONGEST_NAME / part.length - 1)}\n`,
)

/** Whether a text fits; only within {@link within}. */
export function fits(pattern: Pattern, text: string): boolean {
  if (text.length > LONGEST_NAME || off.has(pattern.source)) return false
  return pattern.source.length <= LONGEST_PATTERN && repeats(pattern.source) <= MOST_REPEATS && test(pattern, text)
}

function test(pattern: Pattern, text: string): boolean {
  try {
    return patternOf(pattern).test(text)
  } catch (error) {
    // A file of an earlier start may hold what is none, or one that is too large.
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Switches a pattern off that is too slow for a text by itself. The machine may just have been busy. */
export function switchOffIfSlow(pattern: Pattern, text: string): void {
  if (within(SLOW_MS, () => test(pattern, text))) return
  off.add(pattern.source)
  log.warn(
    `The pattern ${foreignText(pattern.source)} of a model takes too long for "${foreignText(text)}", so it fits nothing until the next start. Delete the model, or define it anew.`,
  )
}

let context: { act?: () => unknown } | undefined
const script = new Script('act()')

/**
 * Runs what uses patterns of strangers: V8 looks at the time of a script while it matches, too.
 *
 * @returns undefined when it was stopped after so many milliseconds.
 */
export function within<T>(ms: number, act: () => T): { readonly result: T } | undefined {
  context ??= createContext({})
  context.act = act
  try {
    return { result: script.runInContext(context, { timeout: ms }) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}

/** How often the counts of a pattern repeat a part at most, were they all inside of one another. */
function repeats(source: string): number {
  const counts = [...source.matchAll(/\{(\d+),?(\d*)\}/g)].map(([, from, to]) => Number(to || from))
  return counts.reduce((product, count) => product * Math.max(1, count), 1)
}

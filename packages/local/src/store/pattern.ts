import { createContext, Script } from 'node:vm'
import { foreignText } from '@svc/core/foreign-text'
import { log } from '@svc/core/log'
import { LONGEST_NAME } from '../price/estimate.ts'

/** A pattern of a definition, and whether it is without regard to case. */
export interface Pattern {
  readonly source: string
  readonly flags?: '' | 'i'
}

const LONGEST_PATTERN = 1_000
/** The most repetitions that counts may ask for: V8 writes each of them down, before it matches anything. */
const MOST_REPEATS = 10_000
/** Milliseconds after which a pattern is too slow for one text: those that are take for ever, and a pause for garbage does not. */
const SLOW_MS = 50

/** Patterns that were too slow. They fit nothing until the next start. */
const off = new Set<string>()

const compiled = new Map<string, RegExp>()
const MOST_COMPILED = 1_000

/**
 * A pattern as JavaScript has it: `(?i)` at its beginning is a flag.
 *
 * @throws SyntaxError
 */
function patternOf({ source, flags = '' }: Pattern): RegExp {
  const key = `${flags} ${source}`
  const known = compiled.get(key)
  if (known) return known
  if (compiled.size >= MOST_COMPILED) compiled.clear()
  const pattern = source.startsWith('(?i)') ? new RegExp(source.slice(4), 'i') : new RegExp(source, flags)
  compiled.set(key, pattern)
  return pattern
}

/**
 * Says why one of the patterns of a model is refused, and of several which; undefined when all are accepted. They have
 * {@link SLOW_MS} together.
 */
export function patternIssue(...sources: readonly string[]): string | undefined {
  const refuse = (source: string, issue: string) =>
    sources.length > 1 ? `${JSON.stringify(foreignText(source))}: ${issue}` : issue
  const long = sources.find(({ length }) => length > LONGEST_PATTERN)
  if (long !== undefined) return refuse(long, `expected at most ${LONGEST_PATTERN} characters`)
  const repeating = sources.find((source) => repeats(source) > MOST_REPEATS)
  if (repeating !== undefined) return refuse(repeating, `its counts repeat a part more than ${MOST_REPEATS} times`)
  const trials = [...new Set(sources)].flatMap((source) => PROBES.map((probe) => ({ source, probe })))
  let at = 0
  const source = () => trials[at]?.source ?? ''
  try {
    const done = finishes(SLOW_MS, () => {
      for (; at < trials.length; at++) patternOf({ source: source() }).test(trials[at]?.probe ?? '')
    })
    return done
      ? undefined
      : refuse(source(), 'it takes too long for a long name: leave out repetitions of repetitions')
  } catch {
    return refuse(source(), 'expected a regular expression, such as (?i)^(gpt-4.1)$')
  }
}

/** Names on which patterns that repeat repetitions take for ever, because none of them fits at its end. */
const PROBES = ['a', '1', '-', '.', '/', 'a1', 'a-', 'a.', '1.', 'a/'].map(
  (part) => `${part.repeat(LONGEST_NAME / part.length - 1)}\n`,
)

/** Whether a text fits; only within {@link finishes}. */
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

/**
 * Switches a pattern off that is too slow for a text by itself: others may have taken the time.
 *
 * @returns whether it was
 */
export function switchOffIfSlow(pattern: Pattern, text: string): boolean {
  if (finishes(SLOW_MS, () => void test(pattern, text))) return false
  off.add(pattern.source)
  log.warn(
    `The pattern ${foreignText(pattern.source)} of a model takes too long for "${foreignText(text)}", so it fits nothing until the next start. Delete the model, or define it anew.`,
  )
  return true
}

let context: { act?: () => unknown } | undefined
const script = new Script('act()')

/**
 * Runs what uses patterns of strangers: V8 looks at the time of a script while it matches, too.
 *
 * @param act goes on where it was stopped: on a busy machine time passes without it.
 * @returns whether it came to its end within so many milliseconds of processor time.
 */
export function finishes(ms: number, act: () => void): boolean {
  context ??= createContext({})
  context.act = act
  const before = processorMs()
  do {
    try {
      script.runInContext(context, { timeout: ms })
      return true
    } catch (error) {
      // It is an error of the context, which has classes of its own.
      if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    }
  } while (processorMs() - before < ms / 2)
  return false
}

/** Of this thread; before Node 22.19 of the whole process. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1_000
}

/** Returns the most repetitions that the counts of a pattern ask for, as if each were inside of the others. */
function repeats(source: string): number {
  const counts = [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) => Number(to || from))
  return counts.reduce((product, count) => product * Math.max(1, count), 1)
}

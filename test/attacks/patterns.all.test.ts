import { parseSync, Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { files, lineAt, read, sources } from '../house/repository.ts'

/**
 * Every pattern of the product, with the text that takes it the most time: as much more time as there is more text. Of a
 * pattern with a repetition without a limit, texts that nearly fit, again and again, are tried: made of what stands in
 * the pattern itself.
 */

interface Pattern {
  readonly where: string
  readonly regex: RegExp
}

/** Patterns whose text cannot be long, each with its reason. */
const SHORT: Readonly<Record<string, string>> = {
  'packages/cli/src/migrate/env/env-files.ts': 'a path of the file system has at most 4,096 bytes',
}

const viewer = files('packages/local/viewer', '.ts', '.tsx')
  .filter((path) => !path.includes('.test.'))
  .map((path) => ({ path, text: read(path), syntax: parseSync(path, read(path)) }))

const patterns: readonly Pattern[] = [...sources, ...viewer].flatMap(({ path, text, syntax }) => {
  const found: Pattern[] = []
  new Visitor({
    Literal: (node) => {
      if (!('regex' in node) || path in SHORT) return
      const { pattern, flags } = node.regex
      // What repeats without a limit, outside of a class of characters.
      if (/[*+]|\{\d+,\}/.test(pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'c'))) {
        found.push({ where: `${path}:${lineAt(text, node.start)}`, regex: new RegExp(pattern, flags) })
      }
    },
  }).visit(syntax.program)
  return found
})

const SPACES = [' ', '\n', '\t', '\r', ' \n', '\u009b']
const SIGNS = [...'a1A"\'/=@\\-_.,;:{}<([~%|#*!&?'].flatMap((sign) => [sign, `a${sign}`])

/** Texts that nearly fit a pattern, to be repeated. */
function piecesOf({ source }: RegExp): readonly string[] {
  const literal = /(?:\\[^a-zA-Z0-9]|[a-zA-Z0-9_@:;=.,<>"'!~#%&/-])+/g
  const own = [...new Set([...source.matchAll(literal)].map(([text]) => text.replace(/\\([^a-zA-Z0-9])/g, '$1')))]
  const few = own.filter(({ length }) => length < 30).slice(0, 8)
  const pairs = few.flatMap((one) => [...few.slice(0, 4), ' ', '\n', 'a', '='].map((other) => one + other))
  return [...new Set([...few, ...pairs, ...SPACES, ...SIGNS])]
}

const AFFIXES: readonly (readonly [before: string, behind: string])[] = [
  ['', '\u0001'],
  ['', '\n'],
  // What a pattern has for the beginning of a text must not take the rest with it.
  ['b', 'b'],
]

interface Candidate {
  readonly piece: string
  readonly before: string
  readonly behind: string
}

const textOf = ({ piece, before, behind }: Candidate, length: number): string =>
  before + piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + behind

/** The shortest of several runs, in milliseconds of the processor: others share the machine. */
function time({ regex }: Pattern, candidate: Candidate, length: number, runs: number): number {
  const text = textOf(candidate, length)
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    regex.lastIndex = 0
    const start = process.threadCpuUsage()
    if (regex.global) text.replace(regex, '')
    else regex.test(text)
    const { user, system } = process.threadCpuUsage(start)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

/** A run below this says nothing: of 12,000 characters a linear one takes microseconds, and a quadratic one more than this. */
const MEASURABLE_MS = 20
const SHORT_LENGTH = 1_500
/** A linear run of eight times the text takes less for each of its characters, also where it fits no cache. */
const SLOW_MS = 3e-4

/** Whether eight times the text takes more than thirty times the time, again and again. Linear is eight, quadratic 64. */
function grows(pattern: Pattern, candidate: Candidate, length: number): boolean {
  return [1, 3, 5, 9].every((runs) => {
    const long = time(pattern, candidate, 8 * length, runs)
    return (
      long > Math.max(MEASURABLE_MS, length * SLOW_MS) &&
      long > 30 * Math.max(time(pattern, candidate, length, 5), 0.02)
    )
  })
}

/** The slowest first. */
function timesOf(pattern: Pattern, candidates: readonly Candidate[], length: number) {
  return candidates
    .map((candidate) => ({ candidate, spent: time(pattern, candidate, length, 1) }))
    .sort((one, other) => other.spent - one.spent)
}

describe('the time of a pattern grows with its text, not faster:', () => {
  it('there are patterns', () => {
    expect(patterns.length).toBeGreaterThan(100)
  })

  it.each(patterns.map((pattern) => [pattern.where, pattern.regex.source.slice(0, 60), pattern] as const))(
    '%s %s',
    (_, __, pattern) => {
      const [first = ''] = piecesOf(pattern.regex)
      const candidates = piecesOf(pattern.regex).flatMap((piece) =>
        [...AFFIXES, [first, '\u0001'] as const].map(([before, behind]) => ({ piece, before, behind })),
      )
      const timed = timesOf(pattern, candidates, 8 * SHORT_LENGTH)
      const slow = timed.filter(({ spent }) => spent > MEASURABLE_MS).map(({ candidate }) => candidate)
      expect(slow.filter((candidate) => grows(pattern, candidate, SHORT_LENGTH))).toEqual([])
      // What grows faster than its text is among the slowest long before.
      const slowest = timed.slice(0, 16).map(({ candidate }) => candidate)
      const worst = timesOf(pattern, slowest, 65_536)[0]?.candidate as Candidate
      for (const length of [65_536, 524_288]) {
        expect({ worst, length, grows: grows(pattern, worst, length) }).toEqual({ worst, length, grows: false })
      }
    },
  )
})

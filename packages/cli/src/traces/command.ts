import { QUESTIONS, type QuestionName } from '@svc/local/parameters'
import { ANSWERS, type Answered, asMarkdown, dataOf, fitted, type Params, QuestionError } from '@svc/local/questions'
import type { RunCommand } from '../command.ts'
import { Failure } from '../failure.ts'
import { painted, write, writeJson } from '../output.ts'
import { SVC } from '../own-command.ts'
import { plainWord } from '../shell-word.ts'
import type { PlaceFlags } from './place.ts'
import { withReader } from './read.ts'

/** Tokens of an answer that is piped: to an agent, as a rule. */
const PIPED_TOKENS = 2_000

/** Returns the command of a question: `svc traces show`. */
export const commandOf =
  (name: QuestionName): RunCommand =>
  async (operands, flags) => {
    const params = { ...operandsOf(name, operands), ...ownFlags(name, flags) }
    await withReader(flags as PlaceFlags, async (reader) => {
      const answered = await ANSWERS[name](reader, params).catch(rejectMisuse)
      print(name, answered, params, flags)
    })
    return 0
  }

/** Throws a Failure for what makes no sense. */
export function rejectMisuse(error: unknown): never {
  throw error instanceof QuestionError ? new Failure(`svc traces: ${error.message}`) : error
}

const operandNames = (name: QuestionName): string[] =>
  Object.entries(QUESTIONS[name].parameters).flatMap(([key, { isOperand }]: [string, { isOperand?: boolean }]) =>
    isOperand ? [key] : [],
  )

const operandsOf = (name: QuestionName, operands: readonly string[]): Params =>
  Object.fromEntries(operandNames(name).map((key, at) => [key, operands[at]]))

/** The flags that are parameters of the question, and not of its place or form. */
export const ownFlags = (name: QuestionName, flags: Readonly<Record<string, unknown>>): Params =>
  Object.fromEntries(
    Object.keys(QUESTIONS[name].parameters).flatMap((key) => (flags[key] === undefined ? [] : [[key, flags[key]]])),
  ) as Params

/** Prints an answer: as JSON, a tree in colour for a terminal, or Markdown for everything else. */
export function print(
  name: QuestionName,
  answered: Answered,
  params: Params,
  flags: Readonly<Record<string, unknown>>,
): void {
  const ask = (more: Params) => commandFor(name, { ...params, ...more }, flags)
  const given = params.maxTokens === undefined ? undefined : Number(params.maxTokens)
  const { stdout } = process
  if (flags.json) {
    const { rows, rest } = fitted(answered, { maxTokens: given, ask })
    for (const each of dataOf(rows)) writeJson(stdout, each, 0)
    if (rest.length > 0) writeJson(stdout, { more: rest }, 0)
  } else if (stdout.isTTY) {
    const { title, rows, rest } = fitted(answered, { maxTokens: given, ask })
    const paint = stdout.hasColors() ? painted : (_: unknown, text: string) => text
    const lines = rows.map(({ text, style }) => (style ? paint(style, text) : text))
    write(stdout, [paint('bold', title), '', ...lines, ...(rest.length > 0 ? ['', ...rest] : []), ''].join('\n'))
  } else {
    const maxTokens = given ?? (params.io === 'full' ? undefined : PIPED_TOKENS)
    write(stdout, `${asMarkdown(answered, { maxTokens, ask })}\n`)
  }
}

/** The command of a question with other parameters, to be copied into a shell. */
function commandFor(name: QuestionName, params: Params, flags: Readonly<Record<string, unknown>>): string {
  const operands = operandNames(name)
  const words = Object.entries({ ...params, db: flags.db, local: flags.local }).flatMap(([key, value]) => {
    if (value === undefined || value === false) return []
    if (operands.includes(key)) return [plainWord(String(value))]
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return value === true ? [flag] : [flag, plainWord(String(value))]
  })
  return [`${SVC} traces`, name, ...words].join(' ')
}

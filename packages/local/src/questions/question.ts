import type { TraceReader } from './reader.ts'

/** The parameters of a question as they were given: texts of a command line, or values of JSON. */
export type Params = Readonly<Record<string, string | number | boolean | undefined>>

/** One line of an answer, or some that belong together. */
export interface Row {
  /** May have several lines. Whatever is not ours in it was cleaned. */
  readonly text: string
  readonly style?: 'bold' | 'red' | 'yellow' | 'cyan'
  /** The same for programs. */
  readonly data?: Readonly<Record<string, unknown>>
  /** What to ask in addition for the rows after this one. */
  readonly resume?: Params
}

/** The answer to a question: rows, what matters most first. */
export interface Answered {
  /** One line of ours, and what was asked. */
  readonly title: string
  readonly rows: readonly Row[]
  /** What to ask in addition for what is not among the rows. */
  readonly more?: { readonly what: string; readonly params: Params }
}

/** Answers a question about the traces of a project. @throws {QuestionError} */
export type Ask = (reader: TraceReader, params: Params) => Promise<Answered>

/** Says which parameter does not fit, or that nothing was found, and what to do. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError'
}

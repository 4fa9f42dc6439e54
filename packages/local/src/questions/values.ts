import { foreignText } from '@svc/core/foreign-text'
import { own } from '@svc/core/own'
import type { Parameter } from './parameters.ts'
import { type Params, QuestionError } from './question.ts'

/** Parameters that were read: times are ISO texts, durations are milliseconds. */
export type Values = Readonly<Record<string, string | number | boolean | undefined>>

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Reads parameters. @throws {QuestionError} naming the one that does not fit */
export function readValues(params: Params, table: Readonly<Record<string, Parameter>>, now = Date.now()): Values {
  const unknown = Object.keys(params).find((name) => params[name] !== undefined && own(table, name) === undefined)
  if (unknown !== undefined) throw new QuestionError(`there is no parameter ${foreignText(unknown)}`)
  const read = Object.entries(table).map(([name, { kind, isRequired }]) => {
    const given = own(params, name)
    if (isRequired && (given === undefined || given === '')) throw new QuestionError(`${name} is required`)
    return [name, given === undefined || given === '' ? undefined : READ[kind](name, given, now)]
  })
  return Object.fromEntries(read)
}

type Given = string | number | boolean

/** As long as a URL may be. A search takes its length times that of each text. */
const LONGEST_TEXT = 4_000

const READ: Readonly<Record<Parameter['kind'], (name: string, given: Given, now: number) => Given>> = {
  text: (name, given) =>
    String(given).length <= LONGEST_TEXT ? String(given) : refuse(name, given, `at most ${LONGEST_TEXT} characters`),
  flag: (_, given) => given === true || given === 'true',
  number: (name, given) => {
    const number = Number(given)
    return Number.isFinite(number) && number > 0 ? number : refuse(name, given, 'a number above 0')
  },
  duration: (name, given) => millisecondsOf(given) ?? refuse(name, given, 'a duration such as 500ms, 2s or 1m'),
  time: (name, given, now) => {
    const ago = millisecondsOf(given)
    const time = ago === undefined ? Date.parse(String(given)) : now - ago
    return Math.abs(time) <= 8.64e15
      ? new Date(time).toISOString()
      : refuse(name, given, 'a time such as 10m, 2h, 3d or 2026-11-28T10:00:00Z')
  },
}

function millisecondsOf(given: Given): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h|d|w)$/.exec(String(given)) ?? []
  const length = own(UNITS, unit)
  return length === undefined ? undefined : Number(count) * length
}

function refuse(name: string, given: Given, expected: string): never {
  throw new QuestionError(`${name}=${JSON.stringify(foreignText(given, 60))}: expected ${expected}`)
}

/** A text parameter. */
export const textOf = (value: Given | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
/** A number parameter. */
export const numberOf = (value: Given | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise
/** Rows that are wanted. */
export const limitOf = ({ limit }: Values): number => Math.ceil(numberOf(limit, 20))

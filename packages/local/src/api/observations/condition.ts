import type { SQLInputValue } from 'node:sqlite'
import { own } from '@svc/core/own'
import * as v from 'valibot'
import { ValidationError } from '../../http/checks.ts'
import { anything, objectOf, parsedBy, type Schema, text } from '../../http/fields.ts'
import { json, one } from '../../http/parameters.ts'
import type { Clause } from '../../store/rows.ts'
import { type ColumnKind, FILTER_COLUMNS, type FilterColumn } from './filter-columns.ts'

/** One condition of the `filter` parameter (contract 3.7); single query parameters become conditions too. */
export interface Condition {
  readonly type: string
  readonly column: string
  readonly operator: string
  readonly value: unknown
  /** Path into a map column, segments joined by dots. */
  readonly key?: unknown
}

interface ConditionType {
  readonly fits: readonly ColumnKind[]
  /** Turns the given value into what SQLite compares with; undefined when it is of the wrong type. */
  readonly read: (value: unknown) => SQLInputValue[] | undefined
  /** Operator → SQL over the column expression and as many placeholders as there are values. */
  readonly operators: Readonly<Record<string, (column: string, count: number) => string>>
}

const marks = (count: number) => Array(count).fill('?').join(', ')
const compare = (...operators: string[]) =>
  Object.fromEntries(operators.map((operator) => [operator, (column: string) => `${column} ${operator} ?`]))
const range = (column: string) => `(${column} >= ? AND ${column} < ? || char(1114111))`

const TEXT_OPERATORS: ConditionType['operators'] = {
  '=': (column) => `${column} = ?`,
  contains: (column) => `instr(${column}, ?) > 0`,
  'does not contain': (column) => `coalesce(instr(${column}, ?), 0) = 0`,
  // Few ids begin the same: a range finds them by an index. The many of a name are read from the newest, so `+` hides it.
  'starts with': (column) => range(column === 'traceId' ? column : `+${column}`),
  'ends with': (column) => `ends_with(${column}, ?)`,
}
const NUMBER_OPERATORS = compare('=', '>', '<', '>=', '<=')

const TYPES: Readonly<Record<string, ConditionType>> = {
  string: { fits: ['text'], read: oneText, operators: TEXT_OPERATORS },
  number: { fits: ['number'], read: oneNumber, operators: NUMBER_OPERATORS },
  datetime: { fits: ['time'], read: oneTime, operators: compare('>', '<', '>=', '<=') },
  boolean: { fits: ['boolean'], read: oneBoolean, operators: compare('=', '<>') },
  null: {
    fits: ['text', 'number', 'time'],
    read: () => [],
    operators: { 'is null': (column) => `${column} IS NULL`, 'is not null': (column) => `${column} IS NOT NULL` },
  },
  stringOptions: {
    fits: ['text'],
    read: severalTexts,
    operators: {
      'any of': (column, count) => `${column} IN (${marks(count)})`,
      'none of': (column, count) => `(${column} IS NULL OR ${column} NOT IN (${marks(count)}))`,
    },
  },
  arrayOptions: {
    fits: ['list'],
    read: severalTexts,
    operators: {
      'any of': (column, count) => `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value IN (${marks(count)}))`,
      'none of': (column, count) => `NOT EXISTS (SELECT 1 FROM json_each(${column}) WHERE value IN (${marks(count)}))`,
      'all of': (column, count) =>
        `(SELECT count(DISTINCT value) FROM json_each(${column}) WHERE value IN (${marks(count)})) = ${count}`,
    },
  },
  stringObject: { fits: ['map'], read: oneText, operators: TEXT_OPERATORS },
  numberObject: { fits: ['map'], read: oneNumber, operators: NUMBER_OPERATORS },
}

/** SQL functions that read one value of a map column, as the type that the condition compares. */
const MAP_READERS: Readonly<Record<string, string>> = { stringObject: 'text_at', numberObject: 'number_at' }

/**
 * The SQL of a condition.
 *
 * @param columns what can be filtered by; the columns of observations by default.
 * @throws {ValidationError} saying which part does not fit.
 */
export function clauseOf(
  { type, column, operator, value, key }: Condition,
  columns: Readonly<Record<string, FilterColumn>> = FILTER_COLUMNS,
): Clause {
  const target = own(columns, column) ?? fail(`unknown column ${column}`)
  const rules = own(TYPES, type) ?? fail(`unknown type ${type}`)
  if (!rules.fits.includes(target.kind)) fail(`type ${type} does not fit column ${column}`)
  const write = own(rules.operators, operator) ?? fail(`unknown operator ${operator} for type ${type}`)
  const values = rules.read(value) ?? fail(`a value that does not fit type ${type}`)
  const reader = own(MAP_READERS, type)
  if (reader === undefined) return clauseFor(write(target.sql, values.length), values)
  const path = typeof key === 'string' && key !== '' ? key : fail(`type ${type} needs a key`)
  return clauseFor(write(`${reader}(${target.sql}, ?)`, values.length), [path, ...values])
}

/** The SQL may name its column more than once, each time with the same values. */
function clauseFor(sql: string, once: readonly SQLInputValue[]): Clause {
  const times = once.length === 0 ? 0 : (sql.split('?').length - 1) / once.length
  return { sql, values: Array.from({ length: times }, () => once).flat() }
}

/** Conditions as JSON has them. */
export const conditions: Schema<readonly Condition[]> = v.array(
  objectOf({ type: text, column: text, operator: text, value: anything, key: anything }),
  'expected a JSON array of conditions',
)

/** A `filter` parameter, each condition with the SQL of {@link clauseOf}. */
export const filterOf = (columns = FILTER_COLUMNS) =>
  one(
    v.pipe(
      json,
      conditions,
      parsedBy((raw) =>
        (raw as readonly Condition[]).map((condition) => ({
          column: condition.column,
          ...clauseOf(condition, columns),
        })),
      ),
    ),
  )

function fail(message: string): never {
  throw new ValidationError(message)
}

function oneText(value: unknown): SQLInputValue[] | undefined {
  return typeof value === 'string' ? [value] : undefined
}

function oneNumber(value: unknown): SQLInputValue[] | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? [value] : undefined
}

function oneBoolean(value: unknown): SQLInputValue[] | undefined {
  return typeof value === 'boolean' ? [value ? 1 : 0] : undefined
}

function oneTime(value: unknown): SQLInputValue[] | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : [time * 1_000]
}

function severalTexts(value: unknown): SQLInputValue[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
}

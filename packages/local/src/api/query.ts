import { badRequest } from '../http/answer.ts'
import { LEVELS } from '../observation.ts'
import type { Clause } from '../store/store.ts'
import { type Condition, ConditionError, clauseOf } from './condition.ts'
import { clauseAfter } from './cursor.ts'
import { type FieldGroup, isFieldGroup } from './observation-shape.ts'

/** What `GET /v2/observations` was asked, checked. */
export interface ObservationQuery {
  readonly where: readonly Clause[]
  readonly groups: readonly FieldGroup[]
  readonly limit: number
  readonly parseIo: boolean
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000

const is =
  (column: string) =>
  (value: string): Condition => ({ type: 'string', column, operator: '=', value })
const time =
  (operator: string) =>
  (value: string): Condition => ({
    type: 'datetime',
    column: 'startTime',
    operator,
    value,
  })

/** Single query parameters, each as the condition it stands for. */
const PARAMETERS: Readonly<Record<string, (value: string, all: readonly string[]) => Condition>> = {
  name: is('name'),
  userId: is('userId'),
  sessionId: is('sessionId'),
  traceId: is('traceId'),
  parentObservationId: is('parentObservationId'),
  version: is('version'),
  type: (value) => is('type')(value.toUpperCase()),
  level: (value) => is('level')(oneOf(LEVELS, value)),
  environment: (_, all) => ({ type: 'stringOptions', column: 'environment', operator: 'any of', value: all }),
  fromStartTime: time('>='),
  toStartTime: time('<'),
  isRootObservation: (value) => ({
    type: 'boolean',
    column: 'isRootObservation',
    operator: '=',
    value: oneOf(['true', 'false'], value) === 'true',
  }),
}

/** Checks a query as a whole. @throws Refusal 400 with one issue for every parameter that does not fit. */
export function readQuery(query: URLSearchParams): ObservationQuery {
  const issues: { path: string[]; message: string }[] = []
  const attempt = <T>(name: string, read: () => T, otherwise: T): T => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error
      issues.push({ path: [name], message: error.message })
      return otherwise
    }
  }
  const filter = attempt('filter', () => readFilter(query.get('filter')), [])
  const filtered = new Set(filter.map(({ column }) => column))
  const simple = Object.entries(PARAMETERS).flatMap(([name, read]) =>
    attempt(name, () => {
      const [value] = query.getAll(name)
      const condition = value ? read(value, query.getAll(name)) : undefined
      // A condition of `filter` beats the single parameter on the same column.
      return condition && !filtered.has(condition.column) ? [clauseOf(condition)] : []
    }, []),
  )
  const advanced = filter.flatMap((condition) => attempt('filter', () => [clauseOf(condition)], []))
  const after = attempt('cursor', () => readCursor(query.get('cursor')), [])
  const groups = attempt('fields', () => readGroups(query.get('fields')), [])
  const limit = attempt('limit', () => readLimit(query.get('limit')), DEFAULT_LIMIT)
  const parseIo = attempt(
    'parseIoAsJson',
    () => oneOf(['true', 'false'], query.get('parseIoAsJson') || 'false'),
    'false',
  )
  if (issues.length > 0) throw badRequest(issues)
  return { where: [...simple, ...advanced, ...after], groups, limit, parseIo: parseIo === 'true' }
}

function readFilter(text: string | null): Condition[] {
  if (!text) return []
  const list = parsed(text)
  if (!Array.isArray(list)) throw new ConditionError('expected a JSON array of conditions')
  return list.map((item: unknown) => {
    const { type, column, operator, value, key } = Object(item)
    const named = [type, column, operator].every((part) => typeof part === 'string')
    if (!named) throw new ConditionError('a condition needs type, column and operator')
    return { type, column, operator, value, key }
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConditionError('expected JSON')
  }
}

function readCursor(text: string | null): Clause[] {
  if (!text) return []
  const clause = clauseAfter(text)
  if (!clause) throw new ConditionError('not a cursor of this service')
  return [clause]
}

function readGroups(text: string | null): FieldGroup[] {
  const names = (text || 'core,basic').split(',').map((name) => name.trim())
  const unknown = names.find((name) => !isFieldGroup(name))
  if (unknown !== undefined) throw new ConditionError(`unknown field group ${unknown}`)
  return names.filter(isFieldGroup)
}

function readLimit(text: string | null): number {
  const limit = text ? Number(text) : DEFAULT_LIMIT
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new ConditionError(`expected a whole number from 1 to ${MAX_LIMIT}`)
}

function oneOf<const T extends string>(words: readonly T[], said: string): T {
  const word = words.find((word) => word === said)
  if (word === undefined) throw new ConditionError(`expected ${words.join(', ')}`)
  return word
}

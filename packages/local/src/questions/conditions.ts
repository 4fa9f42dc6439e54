import { equals, type FilterCondition } from './reader.ts'
import { numberOf, textOf, type Values } from './values.ts'

/** Parameters that say which trace, not which of its observations. They stand on all observations of one. */
const OF_TRACES = new Set(['since', 'until', 'user', 'session', 'tag', 'environment'])

/** Whether the conditions are about single observations, and not about whole traces alone. */
export const isAboutObservations = (values: Values): boolean =>
  Object.keys(COLUMNS).some((name) => !OF_TRACES.has(name) && values[name] !== undefined) || values.text !== undefined

/**
 * The filters of a question, for the API: observations that fit one of these lists of conditions are wanted. A text may
 * be in the input or the output, and a name be that of the trace; the API joins conditions by `and` alone.
 */
export function alternativesOf(values: Values): readonly (readonly FilterCondition[])[] {
  const shared = Object.entries(COLUMNS).flatMap(([name, condition]) => {
    const value = values[name]
    return value === undefined ? [] : [condition(value)]
  })
  const [name, text] = [textOf(values.name), textOf(values.text)]
  const names = name === undefined ? [[]] : ['name', 'traceName'].map((column) => [fits(column, name)])
  const texts =
    text === undefined
      ? [[]]
      : ['input', 'output'].map((column) => [{ type: 'string', column, operator: 'contains', value: text }])
  return names.flatMap((byName) => texts.map((byText) => [...shared, ...byName, ...byText]))
}

type Given = string | number | boolean

const COLUMNS: Readonly<Record<string, (value: Given) => FilterCondition>> = {
  since: (value) => ({ type: 'datetime', column: 'startTime', operator: '>=', value }),
  until: (value) => ({ type: 'datetime', column: 'startTime', operator: '<', value }),
  type: (value) => equals('type', String(value).toUpperCase()),
  user: (value) => equals('userId', String(value)),
  session: (value) => equals('sessionId', String(value)),
  tag: (value) => ({ type: 'arrayOptions', column: 'tags', operator: 'any of', value: [value] }),
  model: (value) => fits('providedModelName', String(value)),
  prompt: (value) => fits('promptName', String(value)),
  environment: (value) => equals('environment', String(value)),
  level: (value) => equals('level', String(value).toUpperCase()),
  latency: (value) => ({ type: 'number', column: 'latency', operator: '>=', value: numberOf(value, 0) / 1_000 }),
  cost: (value) => ({ type: 'number', column: 'totalCost', operator: '>=', value }),
}

/** A text, or the beginning, end or middle of one: `chat*`, `*search*`. */
function fits(column: string, pattern: string): FilterCondition {
  const [, before = '', value = '', after = ''] = /^(\*?)(.*?)(\*?)$/s.exec(pattern) ?? []
  const operators = { '*': 'ends with', '**': 'contains', '': '=' }
  const operator = before === '' && after === '*' ? 'starts with' : operators[`${before}${after}` as '' | '*' | '**']
  return { type: 'string', column, operator, value }
}

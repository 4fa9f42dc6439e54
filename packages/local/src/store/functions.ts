import type { DatabaseSync } from 'node:sqlite'
import { decoded } from '../json-text.ts'
import { estimatedCost } from '../price/estimate.ts'
import { type Length, startOfPeriod } from './period.ts'

/** Adds the functions that filters and metrics need and SQLite lacks: see condition.ts and views.ts. */
export function addFunctions(database: DatabaseSync): void {
  const options = { deterministic: true }
  database.function('ends_with', options, (text, end) => (String(text ?? '').endsWith(String(end)) ? 1 : 0))
  database.function('text_at', options, (map, path) => {
    const value = valueAt(String(map), String(path))
    return value === undefined || typeof value === 'string' ? (value ?? null) : JSON.stringify(value)
  })
  database.function('number_at', options, (map, path) => {
    const value = valueAt(String(map), String(path))
    return typeof value === 'number' ? value : null
  })
  database.function('start_of_period', options, (time, granularity) =>
    startOfPeriod(Number(time), String(granularity) as Length),
  )
  database.function('estimated_cost', options, (model, usage) =>
    estimatedCost(model === null ? null : String(model), JSON.parse(String(usage))),
  )
}

/** The value at a dotted path of JSON text. A key that itself holds the dots comes first. */
function valueAt(json: string, path: string): unknown {
  const map = decoded(json)
  const whole = own(map, path)
  return whole === undefined ? path.split('.').reduce(own, map) : whole
}

/** A property of a JSON object; undefined of anything else. */
function own(map: unknown, name: string): unknown {
  const has = typeof map === 'object' && map !== null && !Array.isArray(map) && Object.hasOwn(map, name)
  return has ? Reflect.get(map, name) : undefined
}

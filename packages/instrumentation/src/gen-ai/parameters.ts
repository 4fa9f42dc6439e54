import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { boundedJson } from '@svc/core/bounded-json'
import { capturesContent } from './configure.ts'
import { asArray, asName, asNumber, type Fields, isObject } from './read.ts'

/** Maps a name, an attribute for example, to the fields that hold the number, newest field first. */
export type NumberTable<Name extends string = string> = readonly (readonly [name: Name, fields: readonly string[]])[]

/** Most stop sequences recorded; no model accepts more. */
const STOP_LIMIT = 16

/** Adds numbers to `numbers` (the same object): the parameters of a request, token counts. */
export function readNumbers<Name extends string>(
  values: Fields,
  table: NumberTable<Name>,
  numbers: { [Each in Name]?: number } = {},
): { [Each in Name]?: number } {
  // Some 20 rounds for every model call: V8 optimizes loops without iterators in a fraction of the time.
  for (let at = 0; at < table.length; at++) {
    const row = table[at] as NumberTable<Name>[number]
    const fields = row[1]
    for (let of = 0; of < fields.length; of++) {
      const value = values[fields[of] as string]
      if (typeof value !== 'number' || !Number.isFinite(value)) continue
      numbers[row[0]] = value
      break
    }
  }
  return numbers
}

/** Maximum bytes of a parameter that is an object: a tool choice, a schema. */
const OBJECT_LIMIT = 16_384

/**
 * Returns parameters that the GenAI conventions do not define, under the names that the service displays.
 *
 * @param schema of the response, which is content
 */
export function extraParameters(values: Fields, schema?: unknown): Attributes {
  return withFields({}, values, Object.keys(values), schema)
}

/** Adds fields of a request to `parameters` (the same object), as {@link extraParameters} does. */
export function withFields(
  parameters: Attributes,
  request: Fields,
  names: readonly string[],
  schema?: unknown,
): Attributes {
  for (let at = 0; at < names.length; at++) {
    const value = request[names[at] as string]
    if (value !== undefined) put(parameters, names[at] as string, value)
  }
  if (isObject(schema) && capturesContent()) put(parameters, 'response_format', schema)
  return parameters
}

function put(attributes: Attributes, name: string, value: unknown): void {
  if (value === null || typeof value === 'function') return
  const bounded = isObject(value) ? boundedJson(value, OBJECT_LIMIT) : value
  if (typeof bounded === 'string' || typeof bounded === 'boolean' || asNumber(bounded) !== undefined) {
    attributes[GEN_AI.REQUEST_PREFIX + name] = (
      isObject(value) ? bounded : (asName(bounded) ?? bounded)
    ) as AttributeValue
  }
}

export function readStopSequences(sequences: unknown): string[] | undefined {
  const stops = asArray(sequences).flatMap((sequence) => asName(sequence) ?? [])
  return stops.length > 0 ? stops.slice(0, STOP_LIMIT) : undefined
}

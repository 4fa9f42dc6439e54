import { ATTRIBUTE, SDK_NAME, SDK_SCOPE } from '@svc/core/attributes'
import { decoded } from '../json-text.ts'
import type { ReceivedSpan, Value } from '../received.ts'
import { isMap, under, type ValueMap } from './read.ts'

/** Who sent the batch: the headers `x-svc-sdk-name` and `x-svc-sdk-version`. */
export interface Sender {
  readonly name?: string | undefined
  readonly version?: string | undefined
}

// Lowest first: what the observation says itself beats what was propagated to it.
const PREFIXES = [
  'ai.telemetry.metadata',
  ATTRIBUTE.COMPAT_METADATA,
  ATTRIBUTE.TRACE_METADATA,
  ATTRIBUTE.OBSERVATION_METADATA,
]

/**
 * Metadata of a span (contract 5.4). Spans of other scopes also get `attributes` (all that no other field took),
 * `resourceAttributes` and `scope`, so that nothing they carry is lost.
 *
 * @param used attributes that became input or output.
 */
export function metadataOf(span: ReceivedSpan, sender: Sender, used: readonly string[]): ValueMap {
  const read = encodesMetadata(span, sender) ? fromJson : (value: Value) => value
  const said = PREFIXES.flatMap((prefix) => [
    ...bare(span.attributes[prefix]),
    ...under(span.attributes, `${prefix}.`).map(([key, value]): [string, Value] => [key, read(value)]),
  ])
  const foreign = span.scope.name === SDK_SCOPE ? [] : Object.entries(surroundings(span, used))
  // fromEntries defines own properties: a key named __proto__ stays a key.
  return Object.fromEntries([...foreign, ...said])
}

/** SDKs before 6 wrote strings as they are; decoding those would turn `"3"` into 3. */
function encodesMetadata({ scope }: ReceivedSpan, sender: Sender): boolean {
  if (scope.name === SDK_SCOPE && majorOf(scope.version) >= 6) return true
  return sender.name === SDK_NAME && majorOf(sender.version) >= 6
}

const majorOf = (version = ''): number => Number.parseInt(version, 10) || 0

const fromJson = (value: Value): Value => (typeof value === 'string' ? (decoded(value) as Value) : value)

/** The bare key holds a JSON object, or (metadata that is no object) a single value. */
function bare(value: Value | undefined): [string, Value][] {
  if (value === undefined || value === null) return []
  const read = fromJson(value)
  return isMap(read) ? Object.entries(read) : [['metadata', read]]
}

function surroundings({ attributes, resource, scope }: ReceivedSpan, used: readonly string[]): ValueMap {
  const taken = (key: string) =>
    used.includes(key) || PREFIXES.some((prefix) => key === prefix || key.startsWith(`${prefix}.`))
  return {
    attributes: Object.fromEntries(Object.entries(attributes).filter(([key]) => !taken(key))),
    resourceAttributes: { ...resource.attributes },
    scope: { name: scope.name, version: scope.version, attributes: { ...scope.attributes } },
  }
}

import { ATTRIBUTE, SDK_NAME, SDK_SCOPE } from '@svc/core/attributes'
import { decodedExactly } from '../../json-text.ts'
import type { Attributes, ReceivedSpan, Value } from '../../store/received.ts'
import { isContent } from './content-keys.ts'
import { isMap, under, type ValueMap } from './read.ts'
import { isToolDefinition } from './tool-definitions.ts'

/** The sender of a batch, from the headers `x-svc-sdk-name` and `x-svc-sdk-version`. */
export interface Sender {
  readonly name?: string | undefined
  readonly version?: string | undefined
}

// Lowest precedence first: an observation's own metadata overrides what was propagated to it.
const PREFIXES = [
  'ai.telemetry.metadata',
  ATTRIBUTE.COMPAT_METADATA,
  ATTRIBUTE.TRACE_METADATA,
  ATTRIBUTE.OBSERVATION_METADATA,
]

/**
 * Metadata of a span (contract 5.4). Spans of other scopes also get `attributes` (all that can be no other field),
 * `resourceAttributes` and `scope`, so that nothing they carry is lost.
 */
export function metadataOf(span: ReceivedSpan, sender: Sender): ValueMap {
  const read = encodesMetadata(span, sender) ? fromJson : (value: Value) => value
  const given = PREFIXES.flatMap((prefix) => [
    ...bare(span.attributes[prefix]),
    ...under(span.attributes, `${prefix}.`).map(([key, value]): [string, Value] => [key, read(value)]),
  ])
  const foreign = isSdkScope(span) ? [] : Object.entries(surroundings(span))
  // fromEntries defines own properties: a key named __proto__ stays a key.
  return Object.fromEntries([...foreign, ...given])
}

/** SDKs before 6 wrote strings as they are; decoding those would turn `"3"` into 3. */
function encodesMetadata({ scope }: ReceivedSpan, sender: Sender): boolean {
  if (scope.name === SDK_SCOPE && majorOf(scope.version) >= 6) return true
  return sender.name === SDK_NAME && majorOf(sender.version) >= 6
}

const majorOf = (version = ''): number => Number.parseInt(version, 10) || 0

const fromJson = (value: Value): Value => (typeof value === 'string' ? (decodedExactly(value) as Value) : value)

/** The bare key holds a JSON object, or (metadata that is no object) a single value. */
function bare(value: Value | undefined): [string, Value][] {
  if (value === undefined || value === null) return []
  const read = fromJson(value)
  return isMap(read) ? Object.entries(read) : [['metadata', read]]
}

function surroundings(span: ReceivedSpan): ValueMap {
  const { resource, scope } = span
  return {
    attributes: remainingAttributes(span),
    resourceAttributes: { ...resource.attributes },
    scope: { name: scope.name, version: scope.version, attributes: { ...scope.attributes } },
  }
}

/** Returns the attributes of a span of another scope that are neither content nor tools nor metadata by themselves. */
function remainingAttributes({ attributes }: ReceivedSpan): Attributes {
  const isTaken = (key: string) =>
    isContent(key) || isToolDefinition(key) || PREFIXES.some((prefix) => key === prefix || key.startsWith(`${prefix}.`))
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => !isTaken(key)))
}

/** The attributes that definitions of tools are looked for in: those that are kept among the metadata. */
export function toolSourcesOf(span: ReceivedSpan): Attributes {
  return isSdkScope(span) ? {} : span.attributes
}

function isSdkScope({ scope }: ReceivedSpan): boolean {
  return scope.name.startsWith(SDK_SCOPE)
}

import type { Attributes, Span } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { foreignText } from '@svc/core/foreign-text'
import { warnOnce } from '@svc/core/log'
import { writeWithRoom } from './attribute-budget.ts'
import { FIELDS, type Field } from './fields.ts'
import { type AttributesOf, KINDS, kinds, type ObservationKind, typeAttribute } from './kinds.ts'
import { metadataAttributes } from './metadata.ts'
import { read } from './read.ts'

/**
 * Returns the span attributes of an observation: its type and its fields (contract 2.2 and 2.3). For spans that you
 * create yourself; the helpers of this package write them already. Never throws.
 *
 * @param kind one of the ten kinds; determines the allowed fields
 * @param attributes the fields; undefined and null are not written
 * @example
 * span.setAttributes(createObservationAttributes('tool', { input: { city: 'Oslo' } }))
 */
export function createObservationAttributes<K extends ObservationKind>(
  kind: K,
  attributes: AttributesOf<K>,
): Attributes {
  const metadata = metadataAttributes(ATTRIBUTE.OBSERVATION_METADATA, read(attributes, 'metadata'))
  return { ...typeAttribute(kind), ...fieldAttributes(kind, attributes), ...metadata }
}

/**
 * Writes fields to a span, metadata last and only up to the attribute limit. Without a kind every field is allowed, and
 * the type of the span is not changed. Never throws.
 */
export function writeObservation(span: Span, kind: ObservationKind | undefined, attributes: unknown): void {
  if (attributes === undefined || attributes === null || !span.isRecording()) return
  attempt('write an observation', write, span, kind, attributes)
}

function write(span: Span, kind: ObservationKind | undefined, attributes: unknown): void {
  const written = fieldAttributes(kind, attributes)
  const metadata = read(attributes, 'metadata')
  // Only metadata can have more keys than a span has room for.
  if (metadata === undefined || metadata === null) span.setAttributes(written)
  else writeWithRoom(span, written, metadataAttributes(ATTRIBUTE.OBSERVATION_METADATA, metadata), setOf(kind))
}

const setOf = (kind: ObservationKind | undefined) => (kind ? KINDS[kind] : 'generation')

const NAMES = { span: Object.keys(FIELDS.span), generation: Object.keys(FIELDS.generation) }

function fieldAttributes(kind: ObservationKind | undefined, attributes: unknown): Attributes {
  const written: Attributes = {}
  const fields: Readonly<Record<string, Field>> = FIELDS[setOf(kind)]
  for (const name of NAMES[setOf(kind)]) {
    const value = read(attributes, name)
    if (value !== undefined && value !== null) fields[name]?.write(written, value, name)
  }
  attempt('look for fields in the wrong place', complainAboutOthers, kind, fields, attributes)
  return written
}

// For plain JavaScript: the types do not allow these fields.
function complainAboutOthers(kind: ObservationKind | undefined, fields: object, attributes: unknown): void {
  if (typeof attributes !== 'object' || attributes === null) {
    warnOnce(`attributes of an observation are ignored: expected an object, got ${typeof attributes}.`)
    return
  }
  for (const name of Object.keys(attributes)) {
    if (name === 'metadata' || Object.hasOwn(fields, name) || read(attributes, name) === undefined) continue
    if (Object.hasOwn(FIELDS.generation, name)) {
      const takers = kinds.filter((each) => KINDS[each] === 'generation').join(' or ')
      warnOnce(`${name} is ignored on observations of type ${kind}: it belongs to asType ${takers}.`)
    } else {
      const known = [...Object.keys(fields), 'metadata'].join(', ')
      warnOnce(
        `${JSON.stringify(foreignText(name, 100))} is not a field of an observation and is ignored: expected ${known}.`,
      )
    }
  }
}

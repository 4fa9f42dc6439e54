import type { Attributes } from '@opentelemetry/api'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { foreignText } from '@svc/core/foreign-text'
import { warnOnce } from '@svc/core/log'
import type { AttributeSets } from './attributes.ts'

/**
 * The kinds of observations, each with the set of its fields. Types, classes and helpers derive from this table: a new kind is one row here and its name
 * in `classes.ts` and `index.ts`.
 */
export const KINDS = {
  span: 'span',
  generation: 'generation',
  event: 'span',
  embedding: 'generation',
  agent: 'span',
  tool: 'span',
  chain: 'span',
  retriever: 'span',
  evaluator: 'span',
  guardrail: 'span',
} as const satisfies Record<string, keyof AttributeSets>

/** The kind of an observation; `asType` of the helpers. */
export type ObservationKind = keyof typeof KINDS

/** The kind of a point in time: it ends when it is created and cannot be updated. */
export type MomentaryKind = 'event'

/** The fields of an observation of kind `K`: `model` and usage only for model calls. */
export type AttributesOf<K extends ObservationKind> = AttributeSets[(typeof KINDS)[K]]

export const kinds = Object.keys(KINDS) as readonly ObservationKind[]

export function isInstant(kind: ObservationKind): boolean {
  return kind === ('event' satisfies MomentaryKind)
}

/** Returns the span attribute that names a kind. */
export function typeAttribute(kind: ObservationKind): Attributes {
  return { [ATTRIBUTE.OBSERVATION_TYPE]: kind }
}

/** Returns the requested kind; `span`, with a warning, for a value that the types do not allow. */
export function kindOf<K extends ObservationKind>(asType: K | undefined): K {
  if (asType === undefined || asType === null) return 'span' as K
  if (kinds.includes(asType)) return asType
  warnOnce(`asType ${shown(asType)} is not known, so a span is created: expected one of ${kinds.join(', ')}.`)
  return 'span' as K
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(foreignText(value, 100)) : `of type ${typeof value}`
}

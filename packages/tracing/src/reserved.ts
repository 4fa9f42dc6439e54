import * as ATTRIBUTE from '@svc/core/attributes/service'
import type { AttributeSets } from './attributes.ts'
import { GENERATION_FIELD, SPAN_FIELD } from './field-names.ts'

const SPAN = [ATTRIBUTE.OBSERVATION_TYPE, ATTRIBUTE.TRACE_PUBLIC, ...Object.values(SPAN_FIELD)]

/** The attributes for which a span keeps room: all that an observation may still write besides metadata. */
export const RESERVED: Readonly<Record<keyof AttributeSets, readonly string[]>> = {
  span: SPAN,
  generation: [...SPAN, ...Object.values(GENERATION_FIELD).flat()],
}

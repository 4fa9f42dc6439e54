import * as ATTRIBUTE from '@svc/core/attributes/service'
import type { SvcGenerationAttributes, SvcSpanAttributes } from './attributes.ts'

// Metadata is not in these tables: it is written last, up to the attribute limit (metadata.ts).

/** The span attribute of each field of an observation. */
export const SPAN_FIELD = {
  input: ATTRIBUTE.OBSERVATION_INPUT,
  output: ATTRIBUTE.OBSERVATION_OUTPUT,
  level: ATTRIBUTE.OBSERVATION_LEVEL,
  statusMessage: ATTRIBUTE.OBSERVATION_STATUS_MESSAGE,
  version: ATTRIBUTE.VERSION,
  environment: ATTRIBUTE.ENVIRONMENT,
} as const satisfies Record<Exclude<keyof SvcSpanAttributes, 'metadata'>, string>

/** The span attributes of each further field of a model call. */
export const GENERATION_FIELD = {
  completionStartTime: ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME,
  model: ATTRIBUTE.OBSERVATION_MODEL,
  modelParameters: ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS,
  usageDetails: ATTRIBUTE.OBSERVATION_USAGE_DETAILS,
  costDetails: ATTRIBUTE.OBSERVATION_COST_DETAILS,
  prompt: [ATTRIBUTE.OBSERVATION_PROMPT_NAME, ATTRIBUTE.OBSERVATION_PROMPT_VERSION],
} as const satisfies Record<Exclude<keyof SvcGenerationAttributes, keyof SvcSpanAttributes>, string | readonly string[]>

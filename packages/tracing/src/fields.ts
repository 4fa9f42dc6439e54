import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { toText } from '@svc/core/json'
import { warnOnce } from '@svc/core/log'
import type { AttributeSets, ObservationLevel, SvcGenerationAttributes, SvcSpanAttributes } from './attributes.ts'
import { readPrompt } from './prompt.ts'

/** How a field of an observation becomes attributes of a span. */
export interface Field {
  /** The attributes it may write. */
  readonly attributes: readonly string[]
  /** Writes a value that is not undefined or null; never throws. */
  write(into: Attributes, value: unknown, name: string): void
}

// Metadata is not in this table: it is written last, up to the attribute limit (metadata.ts).
const SPAN_FIELDS = {
  input: field(ATTRIBUTE.OBSERVATION_INPUT, toText),
  output: field(ATTRIBUTE.OBSERVATION_OUTPUT, toText),
  level: field(ATTRIBUTE.OBSERVATION_LEVEL, level),
  statusMessage: field(ATTRIBUTE.OBSERVATION_STATUS_MESSAGE, text),
  version: field(ATTRIBUTE.VERSION, text),
  environment: field(ATTRIBUTE.ENVIRONMENT, text),
} satisfies Record<Exclude<keyof SvcSpanAttributes, 'metadata'>, Field>

const GENERATION_FIELDS = {
  ...SPAN_FIELDS,
  completionStartTime: field(ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME, moment),
  model: field(ATTRIBUTE.OBSERVATION_MODEL, text),
  modelParameters: field(ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS, toText),
  usageDetails: field(ATTRIBUTE.OBSERVATION_USAGE_DETAILS, toText),
  costDetails: field(ATTRIBUTE.OBSERVATION_COST_DETAILS, toText),
  prompt: {
    attributes: [ATTRIBUTE.OBSERVATION_PROMPT_NAME, ATTRIBUTE.OBSERVATION_PROMPT_VERSION],
    write: (into, value) => Object.assign(into, readPrompt(value, complainAboutPrompt)),
  },
} satisfies Record<Exclude<keyof SvcGenerationAttributes, 'metadata'>, Field>

/** The fields of each set by name (contract 2.2). */
export const FIELDS = {
  span: SPAN_FIELDS,
  generation: GENERATION_FIELDS,
} satisfies Record<keyof AttributeSets, Readonly<Record<string, Field>>>

function field(attribute: string, encode: (value: unknown, name: string) => AttributeValue | undefined): Field {
  return {
    attributes: [attribute],
    write(into, value, name) {
      const encoded = encode(value, name)
      if (encoded !== undefined) into[attribute] = encoded
    },
  }
}

function text(value: unknown, name: string): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  warnOnce(`${name} of an observation is ignored: expected a string, got ${typeof value}.`)
  return undefined
}

const LEVELS: readonly string[] = ['DEBUG', 'DEFAULT', 'WARNING', 'ERROR'] satisfies ObservationLevel[]

// The service also accepts levels of other loggers (WARN, INFO, FATAL), so unknown levels are sent.
function level(value: unknown, name: string): string | undefined {
  const level = text(value, name)
  if (level !== undefined && !LEVELS.includes(level)) {
    warnOnce(
      `level ${JSON.stringify(level.slice(0, 100))} is not known and is sent unchanged: expected one of ${LEVELS.join(', ')}.`,
    )
  }
  return level
}

function moment(value: unknown, name: string): string | undefined {
  const time = value instanceof Date ? value : new Date(typeof value === 'number' ? value : String(value))
  if (!Number.isNaN(time.getTime())) return JSON.stringify(time)
  warnOnce(`${name} of an observation is ignored: expected a Date.`)
  return undefined
}

function complainAboutPrompt(reason: string): void {
  warnOnce(`prompt of an observation is ignored: ${reason}.`)
}

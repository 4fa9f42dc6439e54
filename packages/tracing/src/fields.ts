import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { foreignText } from '@svc/core/foreign-text'
import { toText } from '@svc/core/json'
import { warnOnce } from '@svc/core/log'
import type { AttributeSets, ObservationLevel } from './attributes.ts'
import { GENERATION_FIELD, SPAN_FIELD } from './field-names.ts'
import { readPrompt } from './prompt.ts'

/** How a field of an observation becomes attributes of a span. */
export interface Field {
  /** Writes a value that is not undefined or null; never throws. */
  write(into: Attributes, value: unknown, name: string): void
}

const SPAN_FIELDS = {
  input: field(SPAN_FIELD.input, toText),
  output: field(SPAN_FIELD.output, toText),
  level: field(SPAN_FIELD.level, level),
  statusMessage: field(SPAN_FIELD.statusMessage, text),
  version: field(SPAN_FIELD.version, text),
  environment: field(SPAN_FIELD.environment, text),
} satisfies Record<keyof typeof SPAN_FIELD, Field>

const GENERATION_FIELDS = {
  ...SPAN_FIELDS,
  completionStartTime: field(GENERATION_FIELD.completionStartTime, moment),
  model: field(GENERATION_FIELD.model, text),
  modelParameters: field(GENERATION_FIELD.modelParameters, toText),
  usageDetails: field(GENERATION_FIELD.usageDetails, toText),
  costDetails: field(GENERATION_FIELD.costDetails, toText),
  prompt: { write: (into, value) => Object.assign(into, readPrompt(value, complainAboutPrompt)) },
} satisfies Record<keyof typeof SPAN_FIELD | keyof typeof GENERATION_FIELD, Field>

/** The fields of each set by name (contract 2.2). */
export const FIELDS = {
  span: SPAN_FIELDS,
  generation: GENERATION_FIELDS,
} satisfies Record<keyof AttributeSets, Readonly<Record<string, Field>>>

function field(attribute: string, encode: (value: unknown, name: string) => AttributeValue | undefined): Field {
  return {
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
      `level ${JSON.stringify(foreignText(level, 100))} is not known and is sent unchanged: expected one of ${LEVELS.join(', ')}.`,
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

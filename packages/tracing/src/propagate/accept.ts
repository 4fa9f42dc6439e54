import type { Attributes } from '@opentelemetry/api'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { isEnvironmentName } from '@svc/core/environment-name'
import {
  FAILED_METADATA,
  FAILED_TO_SERIALIZE,
  PROPAGATED_LIMIT,
  PROPAGATED_METADATA_KEYS,
  toMetadataText,
} from '@svc/core/json'
import { entriesOf } from '../metadata.ts'
import { readPrompt } from '../prompt.ts'
import { read } from '../read.ts'
import type { PropagateAttributesParams, PropagatedExperiment } from './params.ts'

/** Reports a value that is not propagated, with the reason. */
export type Reject = (what: string, reason: string) => void

const TEXTS = {
  userId: ATTRIBUTE.TRACE_USER_ID,
  sessionId: ATTRIBUTE.TRACE_SESSION_ID,
  version: ATTRIBUTE.VERSION,
  traceName: ATTRIBUTE.TRACE_NAME,
} satisfies Partial<Record<keyof PropagateAttributesParams, string>>

/** A value that is one text. */
export type TextName = keyof typeof TEXTS
const TEXT_NAMES = Object.keys(TEXTS) as readonly TextName[]

const EXPERIMENT = {
  experimentId: ATTRIBUTE.EXPERIMENT_ID,
  experimentName: ATTRIBUTE.EXPERIMENT_NAME,
  experimentMetadata: ATTRIBUTE.EXPERIMENT_METADATA,
  experimentDatasetId: ATTRIBUTE.EXPERIMENT_DATASET_ID,
  experimentItemId: ATTRIBUTE.EXPERIMENT_ITEM_ID,
  experimentItemMetadata: ATTRIBUTE.EXPERIMENT_ITEM_METADATA,
  experimentItemRootObservationId: ATTRIBUTE.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID,
} satisfies Record<keyof PropagatedExperiment, string>

/** Returns the span attributes of user, session, version, trace name and tags, as far as they are valid. */
export function acceptedIdentity(params: unknown, reject: Reject): Attributes {
  const attributes: Attributes = {}
  for (const name of TEXT_NAMES) addText(attributes, name, read(params, name), reject)
  const tags = acceptedTags(read(params, 'tags'), reject)
  if (tags.length > 0) attributes[ATTRIBUTE.TRACE_TAGS] = tags
  return attributes
}

/** Returns the span attributes of the valid values in `params`, without metadata (contract 2.5). */
export function acceptedAttributes(params: unknown, reject: Reject): Attributes {
  const attributes = acceptedIdentity(params, reject)
  const environment = read(params, 'environment')
  if (typeof environment === 'string' && isEnvironmentName(environment)) attributes[ATTRIBUTE.ENVIRONMENT] = environment
  else if (isGiven(environment)) reject('environment', 'expected at most 40 of a-z 0-9 - _, not starting with "svc"')
  const prompt = read(params, 'prompt')
  if (isGiven(prompt))
    Object.assign(
      attributes,
      readPrompt(prompt, (line) => reject('prompt', line)),
    )
  const experiment = read(params, '_internalExperiment')
  for (const [name, attribute] of isGiven(experiment) ? Object.entries(EXPERIMENT) : []) {
    const value = read(experiment, name)
    if (typeof value === 'string') attributes[attribute] = value
  }
  return attributes
}

/**
 * Returns the span attributes of the valid metadata.
 *
 * @param outer values that are already propagated: their keys count towards the limit
 */
export function acceptedMetadata(metadata: unknown, outer: Attributes, reject: Reject): Attributes {
  const attributes: Attributes = {}
  if (!isGiven(metadata)) return attributes
  const entries = entriesOf(metadata)
  if (!entries) reject('metadata', 'expected an object')
  const keys = new Set(Object.keys(outer).filter((key) => key.startsWith(PREFIX)))
  for (const [name, value] of entries ?? []) {
    const text = toMetadataText(value)
    const key = PREFIX + name
    const refused = refusal(value, text)
    if (refused) reject(`metadata.${name}`, refused)
    else if (text !== undefined && keys.size >= PROPAGATED_METADATA_KEYS && !keys.has(key)) {
      reject(`metadata.${name}`, `at most ${PROPAGATED_METADATA_KEYS} keys are propagated`)
    } else if (text !== undefined) {
      attributes[key] = text
      keys.add(key)
    }
  }
  return attributes
}

/** Adds the span attribute of one text, if it is valid. */
export function addText(into: Attributes, name: TextName, value: unknown, reject: Reject): void {
  // Without user or session the value is empty; that needs no warning.
  if (!value) return
  if (isFit(value)) into[TEXTS[name]] = value
  else reject(name, TEXT_RULE)
}

const PREFIX = `${ATTRIBUTE.TRACE_METADATA}.`
const TEXT_RULE = `expected a string of at most ${PROPAGATED_LIMIT} characters`

function refusal(value: unknown, text: string | undefined): string | undefined {
  const isUnreadable = text === FAILED_METADATA ? value !== FAILED_TO_SERIALIZE : text === undefined && isGiven(value)
  if (isUnreadable) return 'it has no JSON form'
  if (text === undefined || text.length <= PROPAGATED_LIMIT) return undefined
  return `its JSON text has ${text.length} characters, at most ${PROPAGATED_LIMIT} are propagated`
}

function acceptedTags(tags: unknown, reject: Reject): string[] {
  if (!isGiven(tags)) return []
  if (Array.isArray(tags)) {
    const fit = tags.filter(isFit)
    if (fit.length < tags.length) reject('tags', `${tags.length - fit.length} of ${tags.length}: each ${TEXT_RULE}`)
    return [...new Set(fit)]
  }
  reject('tags', 'expected an array of strings')
  return []
}

function isFit(value: unknown): value is string {
  return typeof value === 'string' && value.length <= PROPAGATED_LIMIT
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

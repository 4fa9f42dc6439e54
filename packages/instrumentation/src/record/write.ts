import type { Attributes, Span } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { boundedText } from '@svc/core/bounded-json'
import { chatInput, chatMessages } from '@svc/core/chat-content'
import { toBoundedJson } from '../gen-ai/bounded-json.ts'
import { chatText } from '../gen-ai/chat-text.ts'
import { capturesContent } from '../gen-ai/configure.ts'
import type { RequestContent, ResponseContent } from '../gen-ai/content.ts'
import type { Fields } from '../gen-ai/read.ts'
import { withThoughts } from '../gen-ai/thoughts.ts'
import { usageDetails } from '../gen-ai/usage.ts'
import { metadataAttributes } from './metadata.ts'
import { INTERRUPTED } from './outcome.ts'

// Calls are recorded in the service's dialect. For other destinations `@svc/otel` translates them into the GenAI
// conventions.

export function requestContentAttributes(content: RequestContent): Attributes {
  const { input, metadata } = content
  const ids = idsIn(content)
  const named = metadata || ids ? metadataAttributes({ ...metadata, ...ids }, toBoundedJson) : {}
  if (input !== undefined) return Object.assign(named, textAttribute(ATTRIBUTE.OBSERVATION_INPUT, input))
  const chat = chatInput(content)
  return chat ? Object.assign(named, { [ATTRIBUTE.OBSERVATION_INPUT]: chatText(chat) }) : named
}

/** The files that the messages name instead of having them, and the approvals that they answer. */
function idsIn({ messages = [] }: RequestContent): Fields | undefined {
  let ids: { file_ids?: unknown[]; approval_ids?: unknown[] } | undefined
  for (const { parts } of messages) {
    for (const { file_id, approval_id } of parts) {
      if (file_id) ids = { ...ids, file_ids: [...(ids?.file_ids ?? []), file_id] }
      if (approval_id) ids = { ...ids, approval_ids: [...(ids?.approval_ids ?? []), approval_id] }
    }
  }
  return ids
}

export function responseAttributes(response: ResponseContent): Attributes {
  const {
    id,
    conversation,
    model,
    finishReasons,
    messages,
    usage,
    result,
    cost,
    served,
    citations,
    metadata,
    isInterrupted,
  } = response
  const attributes: Attributes = {}
  if (id !== undefined) attributes[GEN_AI.RESPONSE_ID] = id
  if (conversation !== undefined) attributes[GEN_AI.CONVERSATION_ID] = conversation
  if (model !== undefined) attributes[ATTRIBUTE.OBSERVATION_MODEL] = model
  if (finishReasons?.length) attributes[GEN_AI.RESPONSE_FINISH_REASONS] = finishReasons.slice(0, 128)
  const details = usage && usageDetails(usage, model)
  if (details) attributes[ATTRIBUTE.OBSERVATION_USAGE_DETAILS] = JSON.stringify(details)
  if (cost !== undefined) attributes[ATTRIBUTE.OBSERVATION_COST_DETAILS] = JSON.stringify({ total: cost })
  if (served && Object.keys(served).length > 0)
    attributes[ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS] = JSON.stringify(served)
  if (metadata) Object.assign(attributes, metadataAttributes(metadata, toBoundedJson))
  if (isInterrupted) Object.assign(attributes, INTERRUPTED)
  if (!capturesContent()) return attributes
  if (messages?.length) attributes[ATTRIBUTE.OBSERVATION_OUTPUT] = chatText(chatMessages(messages.map(withThoughts)))
  if (citations?.length) Object.assign(attributes, metadataAttributes({ citations }, toBoundedJson))
  return result === undefined
    ? attributes
    : Object.assign(attributes, textAttribute(ATTRIBUTE.OBSERVATION_OUTPUT, result))
}

const isParameter = (name: string) => name.startsWith(GEN_AI.REQUEST_PREFIX) && name !== GEN_AI.REQUEST_MODEL

/**
 * Combines request parameters, which instrumentations name as the conventions do, into the one attribute that the
 * service reads. The same object if there are none.
 */
export function withParameters(attributes: Attributes): Attributes {
  const names = Object.keys(attributes)
  if (!names.some(isParameter)) return attributes
  const others: Attributes = {}
  const parameters: Attributes = {}
  for (const name of names) {
    if (isParameter(name)) {
      parameters[name.slice(GEN_AI.REQUEST_PREFIX.length)] = attributes[name]
    } else {
      others[name] = attributes[name]
    }
  }
  others[ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS] = JSON.stringify(parameters)
  return others
}

/**
 * Writes attributes of a call to its span. Attributes that the application has set itself are kept.
 *
 * @param requestedModel the model named at the start, which the responding model replaces
 */
export function write(span: Span, attributes: Attributes, requestedModel?: string): void {
  const { attributes: current = {} } = span as { readonly attributes?: Attributes }
  for (const name of Object.keys(attributes)) {
    const value = attributes[name]
    if (value === undefined) continue
    const existing = current[name]
    if (name === ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS && existing !== undefined) {
      span.setAttribute(name, mergeParameters(existing, value))
    } else if (existing === undefined || existing === requestedModel || !SET_BY_APPLICATIONS.has(name)) {
      span.setAttribute(name, value)
    }
  }
}

/** The cost of what was not answered, and of what only groups calls: the service prices the text of others. */
export const NO_COST: Attributes = {
  [ATTRIBUTE.OBSERVATION_COST_DETAILS]: JSON.stringify({ input: 0, output: 0, total: 0 }),
}

/** Writes that a call of a model which ended without an answer was free. */
export function writeUnanswered(span: Span): void {
  const { attributes = {} } = span as { readonly attributes?: Attributes }
  if (MODELS.some((name) => name in attributes) && !ANSWERS.some((name) => name in attributes))
    span.setAttributes(NO_COST)
}

const MODELS = [GEN_AI.REQUEST_MODEL, ATTRIBUTE.OBSERVATION_MODEL]
const ANSWERS = [
  ATTRIBUTE.OBSERVATION_OUTPUT,
  ATTRIBUTE.OBSERVATION_USAGE_DETAILS,
  ATTRIBUTE.OBSERVATION_COST_DETAILS,
  GEN_AI.USAGE_INPUT_TOKENS,
]

const SET_BY_APPLICATIONS: ReadonlySet<string> = new Set([
  ATTRIBUTE.OBSERVATION_INPUT,
  ATTRIBUTE.OBSERVATION_OUTPUT,
  ATTRIBUTE.OBSERVATION_MODEL,
  ATTRIBUTE.OBSERVATION_USAGE_DETAILS,
  ATTRIBUTE.OBSERVATION_COST_DETAILS,
  ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME,
  ATTRIBUTE.OBSERVATION_LEVEL,
  ATTRIBUTE.OBSERVATION_STATUS_MESSAGE,
])

/** Merges parameters as served over those requested. */
function mergeParameters(existing: unknown, value: unknown): string {
  try {
    return JSON.stringify({ ...JSON.parse(String(existing)), ...JSON.parse(String(value)) })
  } catch {
    return String(existing)
  }
}

function textAttribute(name: string, value: unknown): Attributes {
  const text = boundedText(value)
  return text === undefined ? {} : { [name]: text }
}

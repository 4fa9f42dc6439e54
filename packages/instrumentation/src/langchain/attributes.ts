import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { parsedJson } from '@svc/core/json'
import { createObservationAttributes, type PromptReference } from '@svc/tracing'
import { toBoundedJson } from '../gen-ai/bounded-json.ts'
import { capturesContent } from '../gen-ai/configure.ts'
import { asName, asRecord } from '../gen-ai/read.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { storedMetadata } from './read-run.ts'
import { valueText } from './values.ts'

/** Attributes in the service's dialect, for runs of the preload and of the application's handler. */

/** Most metadata keys of a span, so that its other attributes keep room. */
const METADATA_KEYS = 48

/** Returns the input or output of a run that is neither a model nor a tool. */
export function textAttribute(attribute: string, value: unknown): Attributes {
  const text = capturesContent() ? valueText(value) : undefined
  return text === undefined ? {} : { [attribute]: text }
}

export function runMetadata(metadata: unknown, tags: unknown, stores: (key: string) => boolean): Attributes {
  const stored = Object.entries(storedMetadata(metadata, tags, stores)).slice(0, METADATA_KEYS)
  const attributes = metadataAttributes(Object.fromEntries(stored), toText)
  // The service finds the node of a graph by the plain text, which it reads as the same when it decodes metadata.
  const node = asRecord(metadata).langgraph_node
  if (NODE in attributes && typeof node === 'string' && parsedJson(node) === undefined) attributes[NODE] = node
  return attributes
}

const NODE = `${ATTRIBUTE.OBSERVATION_METADATA}.langgraph_node`

function toText(value: unknown): string | undefined {
  return value === undefined || value === null || typeof value === 'function' ? undefined : toBoundedJson(value)
}

/** Returns the link to the prompt that metadata names. */
export function promptAttributes(metadata: unknown): Attributes | undefined {
  const { svcPrompt } = asRecord(metadata)
  if (svcPrompt === undefined || svcPrompt === null) return undefined
  const attributes = createObservationAttributes('generation', { prompt: svcPrompt as PromptReference })
  const { [ATTRIBUTE.OBSERVATION_TYPE]: _, ...link } = attributes
  return link
}

/** LangGraph throws to jump, which is not an error. */
export function outcomeText(thrown: unknown): Attributes {
  return { [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: asName(asRecord(thrown).name) ?? 'GraphBubbleUp' }
}

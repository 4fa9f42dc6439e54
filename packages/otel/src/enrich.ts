import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { type ContentOf, withServiceContent } from './dialects/service-content.ts'
import type { ReadableSpan } from './sdk.ts'
import { withAttributes } from './span-view.ts'

/**
 * Returns the span with attributes of other instrumentations in the service's dialect: native spans of libraries, the
 * AI SDK and the Collector write content, cache writes and the first token differently.
 */
export function enriched(span: ReadableSpan, contentOf: ContentOf): ReadableSpan {
  const { [ATTRIBUTE.OBSERVATION_INPUT]: input, [ATTRIBUTE.OBSERVATION_OUTPUT]: output } = span.attributes
  const attributes = input !== undefined && output !== undefined ? span.attributes : withServiceContent(span, contentOf)
  const cacheWrites = attributes[GEN_AI.USAGE_CACHE_WRITE_INPUT_TOKENS]
  const firstChunk = attributes[GEN_AI.RESPONSE_TIME_TO_FIRST_CHUNK] ?? attributes[GEN_AI.CLIENT_TIME_TO_FIRST_CHUNK]
  const reasoning = attributes[GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]
  const isRerank = attributes[ATTRIBUTE.OBSERVATION_TYPE] === undefined && isRerankIn(attributes)
  if (cacheWrites === undefined && firstChunk === undefined && reasoning === undefined && !isRerank) {
    return attributes === span.attributes ? span : withAttributes(span, attributes)
  }
  const { [GEN_AI.USAGE_CACHE_WRITE_INPUT_TOKENS]: _, ...changed }: Attributes = attributes
  const firstToken = completionStartTime(span, firstChunk)
  if (cacheWrites !== undefined) changed[GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS] ??= cacheWrites
  if (firstToken !== undefined) changed[ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME] = firstToken
  if (isRerank) changed[ATTRIBUTE.OBSERVATION_TYPE] = 'retriever'
  if (isReasoningUnpriced(attributes)) delete changed[GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]
  return withAttributes(span, changed)
}

/** If they were counted separately, the reasoning tokens of these models would cost nothing in the service. */
function isReasoningUnpriced(attributes: Attributes): boolean {
  const model = attributes[GEN_AI.RESPONSE_MODEL] ?? attributes[GEN_AI.REQUEST_MODEL]
  return typeof model === 'string' && /claude/i.test(model)
}

/** Without a type and with a model the service would treat it as a generation: it does not know this operation. */
function isRerankIn({ [GEN_AI.OPERATION_NAME]: operation, 'ai.operationId': aiOperation }: Attributes): boolean {
  return operation === 'rerank' || (typeof aiOperation === 'string' && aiOperation.startsWith('ai.rerank'))
}

function completionStartTime({ attributes, startTime }: ReadableSpan, seconds: unknown): string | undefined {
  if (typeof seconds !== 'number' || !(seconds >= 0)) return undefined
  if (attributes[ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME] !== undefined) return undefined
  const at = new Date(startTime[0] * 1_000 + startTime[1] / 1e6 + seconds * 1_000)
  return Number.isNaN(at.getTime()) ? undefined : JSON.stringify(at)
}

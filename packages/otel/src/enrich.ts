import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { type ContentOf, withServiceContent } from './dialects/service-content.ts'
import type { ReadableSpan } from './sdk.ts'
import { hasFailedSilently } from './silent-failure.ts'
import { withAttributes } from './span-view.ts'

/**
 * Returns the span with attributes of other instrumentations in the service's dialect: native spans of libraries, the
 * AI SDK and the Collector write content, cache writes and the first token differently.
 *
 * @param withCounts makes token counts known to the service
 */
export function enriched(
  span: ReadableSpan,
  contentOf: ContentOf,
  withCounts: (attributes: Attributes) => Attributes,
): ReadableSpan {
  const { [ATTRIBUTE.OBSERVATION_INPUT]: input, [ATTRIBUTE.OBSERVATION_OUTPUT]: output } = span.attributes
  const converted = input !== undefined && output !== undefined ? span.attributes : withServiceContent(span, contentOf)
  // The AI SDK has words of its own, which the service knows.
  const attributes = span.instrumentationScope.name === 'ai' ? converted : withCounts(converted)
  const firstChunk = attributes[GEN_AI.RESPONSE_TIME_TO_FIRST_CHUNK] ?? attributes[GEN_AI.CLIENT_TIME_TO_FIRST_CHUNK]
  const reasoning = attributes[GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]
  const type = attributes[ATTRIBUTE.OBSERVATION_TYPE] === undefined ? typeOf(attributes) : undefined
  const hasFailed = hasFailedSilently(span)
  const firstTime = attributes['mastra.completion_start_time']
  if (firstChunk === undefined && firstTime === undefined && reasoning === undefined && !type && !hasFailed) {
    return attributes === span.attributes ? span : withAttributes(span, attributes)
  }
  const changed: Attributes = { ...attributes }
  const firstToken = completionStartTime(span, firstChunk)
  if (firstToken !== undefined) changed[ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME] = firstToken
  if (typeof firstTime === 'string') changed[ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME] ??= firstTime
  if (hasFailed) changed[ATTRIBUTE.OBSERVATION_LEVEL] = 'ERROR'
  if (type) changed[ATTRIBUTE.OBSERVATION_TYPE] = type
  if (isReasoningUnpriced(attributes)) delete changed[GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]
  return withAttributes(span, changed)
}

/** If they were counted separately, the reasoning tokens of these models would cost nothing in the service. */
function isReasoningUnpriced(attributes: Attributes): boolean {
  const model = attributes[GEN_AI.RESPONSE_MODEL] ?? attributes[GEN_AI.REQUEST_MODEL]
  return typeof model === 'string' && /claude/i.test(model)
}

/** Returns the type of an observation that the service would take for another one. */
function typeOf(attributes: Attributes): string | undefined {
  const { [GEN_AI.OPERATION_NAME]: operation, 'ai.operationId': aiOperation } = attributes
  // It does not know this operation, and takes what has a model for a generation.
  const isRerank = operation === 'rerank' || (typeof aiOperation === 'string' && aiOperation.startsWith('ai.rerank'))
  if (isRerank) return 'retriever'
  // Google's ADK puts the results of several tools together: each tool has a span of its own.
  return attributes[GEN_AI.TOOL_NAME] === '(merged tools)' ? 'span' : undefined
}

function completionStartTime({ attributes, startTime }: ReadableSpan, seconds: unknown): string | undefined {
  if (typeof seconds !== 'number' || !(seconds >= 0)) return undefined
  if (attributes[ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME] !== undefined) return undefined
  const at = new Date(startTime[0] * 1_000 + startTime[1] / 1e6 + seconds * 1_000)
  return Number.isNaN(at.getTime()) ? undefined : JSON.stringify(at)
}

import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { withServiceContent } from './dialects/service-content.ts'
import type { ReadableSpan } from './sdk.ts'
import { withAttributes } from './span-view.ts'

/**
 * Translates attributes of other instrumentations to the service's dialect: native spans of libraries, the AI SDK and
 * the Collector write content, cache writes and the first token differently.
 */
export function enriched(span: ReadableSpan): ReadableSpan {
  const { [ATTRIBUTE.OBSERVATION_INPUT]: input, [ATTRIBUTE.OBSERVATION_OUTPUT]: output } = span.attributes
  const attributes = input !== undefined && output !== undefined ? span.attributes : withServiceContent(span)
  if (attributes[GEN_AI.OPERATION_NAME] === 'rerank') return translated(span, attributes)
  for (const name of OF_OTHERS) if (attributes[name] !== undefined) return translated(span, attributes)
  return attributes === span.attributes ? span : withAttributes(span, attributes)
}

/** Attributes that {@link translated} looks for. */
const OF_OTHERS = [
  GEN_AI.USAGE_CACHE_WRITE_INPUT_TOKENS,
  GEN_AI.USAGE_REASONING_OUTPUT_TOKENS,
  GEN_AI.RESPONSE_TIME_TO_FIRST_CHUNK,
  GEN_AI.CLIENT_TIME_TO_FIRST_CHUNK,
  'ai.operationId',
]

function translated(span: ReadableSpan, attributes: Attributes): ReadableSpan {
  const cacheWrites = attributes[GEN_AI.USAGE_CACHE_WRITE_INPUT_TOKENS]
  const firstToken = completionStartTime(span)
  const isUnpriced = isReasoningUnpriced(attributes)
  const isRerank = isUntypedRerank(attributes)
  if (cacheWrites === undefined && firstToken === undefined && !isUnpriced && !isRerank) {
    return attributes === span.attributes ? span : withAttributes(span, attributes)
  }
  const { [GEN_AI.USAGE_CACHE_WRITE_INPUT_TOKENS]: _, ...changed }: Attributes = attributes
  if (cacheWrites !== undefined) changed[GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS] ??= cacheWrites
  if (firstToken !== undefined) changed[ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME] = firstToken
  if (isRerank) changed[ATTRIBUTE.OBSERVATION_TYPE] = 'retriever'
  if (isUnpriced) delete changed[GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]
  return withAttributes(span, changed)
}

/** If they were counted separately, the reasoning tokens of these models would cost nothing in the service. */
function isReasoningUnpriced(attributes: Attributes): boolean {
  if (attributes[GEN_AI.USAGE_REASONING_OUTPUT_TOKENS] === undefined) return false
  const model = attributes[GEN_AI.RESPONSE_MODEL] ?? attributes[GEN_AI.REQUEST_MODEL]
  return typeof model === 'string' && /claude/i.test(model)
}

/** With a model the service would treat it as a generation, because it does not know this operation. */
function isUntypedRerank(attributes: Attributes): boolean {
  if (attributes[ATTRIBUTE.OBSERVATION_TYPE] !== undefined) return false
  const { [GEN_AI.OPERATION_NAME]: operation, 'ai.operationId': aiOperation } = attributes
  return operation === 'rerank' || (typeof aiOperation === 'string' && aiOperation.startsWith('ai.rerank'))
}

function completionStartTime({ attributes, startTime }: ReadableSpan): string | undefined {
  const seconds = attributes[GEN_AI.RESPONSE_TIME_TO_FIRST_CHUNK] ?? attributes[GEN_AI.CLIENT_TIME_TO_FIRST_CHUNK]
  if (typeof seconds !== 'number' || !(seconds >= 0)) return undefined
  if (attributes[ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME] !== undefined) return undefined
  const at = new Date(startTime[0] * 1_000 + startTime[1] / 1e6 + seconds * 1_000)
  return Number.isNaN(at.getTime()) ? undefined : JSON.stringify(at)
}

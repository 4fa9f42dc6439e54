import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { log, messageOf, warnOnce } from '@svc/core/log'
import { own } from '@svc/core/own'
import { type MaskFunction, masker } from '../mask.ts'
import { CAPACITY, STILL_MASKING, type Step } from '../pipeline.ts'
import type { RedactionOptions } from '../redaction/options.ts'
import { personal } from '../redaction/personal.ts'
import { Redaction } from '../redaction/redaction.ts'
import type { ReadableSpan, SpanProcessor } from '../sdk.ts'
import { withAttributes } from '../span-view.ts'
import { inputAttributes, outputAttributes } from './chat-to-gen-ai.ts'
import { fieldsIn, firstChunk, usageAttributes } from './figures.ts'

/**
 * Wraps a processor so that it receives model and tool calls recorded by svc with attributes of the OpenTelemetry GenAI
 * conventions, for destinations other than svc. The span itself has the service's attributes. With `@svc/register` a
 * second destination is wrapped already, and masked as the service is.
 *
 * @param processor the way to another destination; it gets all other spans with their attributes as they are
 * @param masks rewrite input, output and metadata first, as the `mask` of `SvcSpanProcessor` does. Looked at for each span
 * @param redactions what is hidden before that, as `redact` of `SvcSpanProcessor` says it. Looked at for each span
 * @param latest whether names of the conventions since their last release are written (`gen_ai_latest_experimental`).
 * Default false
 * @example
 * const other = genAiConventions(new BatchSpanProcessor(new OTLPTraceExporter()), [mask])
 * const provider = new TracerProvider({ spanProcessors: [new SvcSpanProcessor({ mask }), other] })
 */
export function genAiConventions(
  processor: SpanProcessor,
  masks: readonly MaskFunction[] = [],
  redactions: readonly RedactionOptions[] = [{ redact: ['secrets'] }],
  latest = false,
): SpanProcessor {
  const redaction = new Redaction({}, personal)
  let known = 0
  const { onEnding } = processor
  const masking = new Set<Promise<unknown>>()
  const pass = (span: ReadableSpan) => processor.onEnd(attempt('translate a span', translated, span, latest) ?? span)
  return {
    onStart: (span, context) => processor.onStart(span, context),
    ...(onEnding ? { onEnding: (span) => onEnding.call(processor, span) } : {}),
    onEnd(span) {
      while (known < redactions.length) redaction.add(redactions[known++] as RedactionOptions)
      // What cannot be masked is not passed on.
      const masked = attempt('mask a span', maskedBy, masks, redaction, span)
      if (!(masked instanceof Promise)) return masked && pass(masked)
      const done: Promise<unknown> = masked.then((ready) => masking.delete(done) && pass(ready)).catch(ignored)
      if (masking.size < CAPACITY) masking.add(done)
      else warnOnce(STILL_MASKING)
    },
    async forceFlush() {
      await Promise.allSettled(masking)
      await processor.forceFlush()
    },
    async shutdown() {
      await Promise.allSettled(masking)
      await processor.shutdown()
    },
  }
}

const ignored = (error: unknown) => log.debug(`a span did not reach another destination: ${messageOf(error)}`)

function maskedBy(masks: readonly MaskFunction[], { step }: Redaction, span: ReadableSpan): ReturnType<Step> {
  return masks.reduce<ReturnType<Step>>(
    (before, mask) => (before instanceof Promise ? before.then(masker(mask)) : masker(mask)(before)),
    step(span),
  )
}

/** Attributes of the service with their counterparts in the conventions. */
const WORDS: Readonly<Record<string, (value: AttributeValue, span: ReadableSpan) => Attributes>> = {
  [ATTRIBUTE.OBSERVATION_INPUT]: inputAttributes,
  [ATTRIBUTE.OBSERVATION_OUTPUT]: outputAttributes,
  [ATTRIBUTE.OBSERVATION_MODEL]: (model) => ({ [GEN_AI.RESPONSE_MODEL]: model }),
  [ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS]: parameterAttributes,
  [ATTRIBUTE.OBSERVATION_USAGE_DETAILS]: usageAttributes,
  [ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME]: firstChunk,
  // The conventions have no attribute for the cost of a call.
  [ATTRIBUTE.OBSERVATION_COST_DETAILS]: () => ({}),
}

function translated(span: ReadableSpan, latest: boolean): ReadableSpan {
  const { attributes } = span
  if (attributes[GEN_AI.OPERATION_NAME] === undefined) return span
  const names = Object.keys(attributes)
  if (!names.some((name) => Object.hasOwn(WORDS, name))) return span
  const words: Attributes = {}
  for (const name of names) {
    const value = attributes[name]
    if (value === undefined) continue
    const translate = own(WORDS, name)
    if (translate) Object.assign(words, translate(value, span))
    else words[name] ??= value
  }
  const { [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: written, ...others } = words
  if (latest && written !== undefined)
    return withAttributes(span, { ...others, [GEN_AI.USAGE_CACHE_WRITE_INPUT_TOKENS]: written })
  return withAttributes(span, words)
}

/** Parameters of the conventions, by their names after `gen_ai.request.`. */
const PARAMETERS: ReadonlySet<string> = new Set(
  [
    GEN_AI.REQUEST_STREAM,
    GEN_AI.REQUEST_TEMPERATURE,
    GEN_AI.REQUEST_TOP_P,
    GEN_AI.REQUEST_TOP_K,
    GEN_AI.REQUEST_MAX_TOKENS,
    GEN_AI.REQUEST_FREQUENCY_PENALTY,
    GEN_AI.REQUEST_PRESENCE_PENALTY,
    GEN_AI.REQUEST_SEED,
    GEN_AI.REQUEST_STOP_SEQUENCES,
    GEN_AI.REQUEST_CHOICE_COUNT,
    GEN_AI.REQUEST_REASONING_LEVEL,
  ].map((name) => name.slice(GEN_AI.REQUEST_PREFIX.length)),
)

/** OpenAI's names for some of them, which `observeOpenAI` and LangChain keep. */
const OF_OPENAI: Readonly<Record<string, string>> = {
  n: 'choice.count',
  stop: 'stop_sequences',
  max_completion_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  reasoning_effort: 'reasoning.level',
}

function parameterAttributes(value: AttributeValue): Attributes {
  const entries = Object.entries(fieldsIn(value))
    .map(([name, each]) => [own(OF_OPENAI, name) ?? name, each] as const)
    .filter(([name]) => PARAMETERS.has(name))
  return Object.fromEntries(entries.map(([name, each]) => [GEN_AI.REQUEST_PREFIX + name, each as AttributeValue]))
}

import { type Attributes, type Tracer, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { getRuntime, hasHost } from '@svc/core/registry'
import { capturesContent } from '../gen-ai/configure.ts'
import { asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { INTERRUPTED } from '../record/outcome.ts'
import { getTracer } from '../record/tracer.ts'
import { isAiSdkEnabled } from './adopt.ts'
import { approvals } from './approvals.ts'
import { beside } from './beside.ts'
import { recordFailure } from './failure.ts'
import { type OpenSpan, openSpanOf } from './open-span.ts'
import { runtime } from './runtime.ts'
import type { StreamHooks, TelemetryDefaults, TelemetryGiven } from './source-edits.ts'
import { abortOutcome } from './span-outcome.ts'
import { tracked } from './tracked.ts'

/** Never recorded: vectors, bytes of generated files, and headers. */
const NEVER = /^ai\.(embeddings?|response\.files|request\.headers\..*)$/

/** What it records only with `recordInputs` or `recordOutputs`. */
const CONTENT =
  /^ai\.(prompt(\.messages|\.tools|\.toolChoice)?|response\.(text|object|reasoning|toolCalls|providerMetadata)|toolCall\.(args|result)|schema|values?|documents|ranking)$/

/** How calls of the AI SDK 5 and 6 without a telemetry option are recorded. */
export const defaults: TelemetryDefaults & StreamHooks = {
  ...runtime,
  get enabled() {
    return isAiSdkEnabled()
  },
  settle: (given) => attempt('settle the telemetry of the AI SDK', () => settle(given)) ?? given,
  tracer: (found, telemetry) =>
    attempt('follow the spans of the AI SDK', tracerOf, found, asRecord(telemetry)) ?? found,
  asked: (id) => {
    attempt('record that a call waits for a person', recordAsked, openSpanOf(trace.getActiveSpan())?.call, id)
    return id
  },
  aborted: (span, signal) => {
    attempt('end the spans of an aborted stream', () => openSpanOf(span)?.endAs(abortOutcome(asRecord(signal).reason)))
  },
  objectFailed: (span, error) => {
    const open = openSpanOf(span)
    if (open) attempt('record that an object does not fit', recordFailure, open, error)
  },
}

const asked = new WeakMap<OpenSpan, unknown[]>()

/** The tool calls that a person is to approve are the output. */
function recordAsked(call: OpenSpan | undefined, id: unknown): void {
  if (!call) return
  const ids = [...(asked.get(call) ?? []), id]
  asked.set(call, ids)
  call.setAttributes({ ...INTERRUPTED, ...approvals(ids) })
}

/** Spans that the application has not asked for are ours: a provider of its own gets none of them. */
function tracerOf(found: Tracer, telemetry: Fields): Tracer {
  const options = { dialect: 'ai', recordsOutput: telemetry.recordOutputs !== false } as const
  const startBeside = asksForTheirs(telemetry) && getRuntime()?.startBeside
  if (startBeside) return beside(found, tracked(getTracer('ai'), options), recorded, startBeside)
  return tracked(telemetry.isEnabled === true ? found : getTracer('ai'), options)
}

/** Whether a call asks for spans, and the application has a provider for them. */
function asksForTheirs({ isEnabled }: Fields): boolean {
  return isEnabled === true && hasHost()
}

/** Leaves calls alone that switch telemetry off or have a tracer of their own. */
function settle({ telemetry, attributes }: TelemetryGiven): TelemetryGiven {
  const options = asRecord(telemetry)
  const isTheirs = options.tracer !== undefined || asksForTheirs(options)
  if (options.isEnabled === false || isTheirs) return { telemetry, attributes }
  const { isEnabled = isAiSdkEnabled() } = options
  const content = capturesContent() ? {} : { recordInputs: false, recordOutputs: false }
  return { telemetry: { ...options, isEnabled, ...content }, attributes: withoutNever(asRecord(attributes)) }
}

function withoutNever(attributes: Fields): Fields {
  return Object.fromEntries(Object.entries(withSeed(withUsage(attributes))).filter(([name]) => !NEVER.test(name)))
}

/** Returns what we record of attributes that the SDK has settled as the application asks. */
function recorded(attributes: Attributes): Attributes {
  const kept = Object.entries(withoutNever(attributes)).filter(([name]) => capturesContent() || !CONTENT.test(name))
  return Object.fromEntries(kept) as Attributes
}

/** The service reads the parameters of these versions by name, and none for the seed. */
function withSeed(attributes: Fields): Fields {
  const seed = attributes['ai.settings.seed']
  return typeof seed === 'number'
    ? { ...attributes, [ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS]: JSON.stringify({ seed }) }
    : attributes
}

/** Adds details to the token counts of the GenAI conventions. Without those the counts are sums over spans below: dropped. */
function withUsage(attributes: Fields): Fields {
  if (GEN_AI.USAGE_INPUT_TOKENS in attributes) return { ...attributes, ...detailsOf(attributes) }
  const entries = Object.entries(attributes).filter(([name]) => !name.startsWith('ai.usage.'))
  return Object.fromEntries(entries)
}

function detailsOf(attributes: Fields): Fields {
  return defined({
    [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: attributes['ai.usage.cachedInputTokens'],
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: attributes['ai.usage.inputTokenDetails.cacheWriteTokens'],
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: attributes['ai.usage.reasoningTokens'],
  })
}

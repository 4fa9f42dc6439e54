import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { capturesContent } from '../gen-ai/configure.ts'
import { asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { isAiSdkEnabled } from './adopt.ts'
import { fateOfAbort } from './fate.ts'
import { openSpanOf } from './open-span.ts'
import { sightings } from './runtime.ts'
import type { StreamSightings, TelemetryDefaults, TelemetryGiven } from './source-edits.ts'
import { type TrackedOptions, tracked } from './tracked.ts'

/** Never recorded: vectors, the bytes of what was made, and headers. */
const NEVER = /^ai\.(embeddings?|response\.files|request\.headers\..*)$/

/** What calls of the AI SDK 5 and 6 record that say nothing of telemetry. */
export const defaults: TelemetryDefaults & StreamSightings = {
  ...sightings,
  get enabled() {
    return isAiSdkEnabled()
  },
  settled: (given) => attempt('settle the telemetry of the AI SDK', () => settle(given)) ?? given,
  tracer: (found, telemetry) =>
    attempt('follow the spans of the AI SDK', () => tracked(found, wordsOf(telemetry))) ?? found,
  aborted: (span, signal) => {
    attempt('end the spans of an aborted stream', () => openSpanOf(span)?.endAs(fateOfAbort(asRecord(signal).reason)))
  },
}

function wordsOf(telemetry: unknown): TrackedOptions {
  return { words: 'ai', tellsOutput: asRecord(telemetry).recordOutputs !== false }
}

/** A call that says no stays unrecorded, and one that has a tracer of its own is the application's own affair. */
function settle({ telemetry, attributes }: TelemetryGiven): TelemetryGiven {
  const said = asRecord(telemetry)
  if (said.isEnabled === false || said.tracer !== undefined) return { telemetry, attributes }
  const { isEnabled = isAiSdkEnabled() } = said
  const content = capturesContent() ? {} : { recordInputs: false, recordOutputs: false }
  const kept = Object.entries(withUsage(asRecord(attributes))).filter(([name]) => !NEVER.test(name))
  return {
    telemetry: { ...said, isEnabled, ...content },
    attributes: Object.fromEntries(kept),
  }
}

/** Counts in the words of the conventions, where they are told twice anyhow; sums of what lies below are left out. */
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

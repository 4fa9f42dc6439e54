import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { isAiSdkEnabled } from '../ai-sdk/adopt.ts'
import { openSpanOf } from '../ai-sdk/open-span.ts'
import { tracked } from '../ai-sdk/tracked.ts'
import { toBoundedJson } from '../calls/bounded-json.ts'
import { capturesContent, contentMaxBytes } from '../calls/configure.ts'
import { parsedJson } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, isObject } from '../calls/read.ts'
import { isMethod } from '../calls/shadow.ts'
import type { TelemetryDefaults, TelemetryGiven } from './edit.ts'

/** Never recorded: vectors, and the bytes of what was made. */
const NEVER: ReadonlySet<string> = new Set(['ai.embedding', 'ai.embeddings', 'ai.response.files'])

/** No character of a JavaScript string takes more bytes. */
const BYTES_A_CHARACTER = 3

/** What calls of the AI SDK 5 and 6 record that say nothing of telemetry. */
export const defaults: TelemetryDefaults = {
  get enabled() {
    return isAiSdkEnabled()
  },
  settled: (given) => attempt('settle the telemetry of the AI SDK', () => settle(given)) ?? given,
  tracer: (found) => attempt('follow the spans of the AI SDK', () => tracked(found)) ?? found,
  aborted: (span) => {
    attempt('end the spans of an aborted stream', () => openSpanOf(span)?.cancel())
  },
}

/** A call that says no stays unrecorded, and one that has a tracer of its own is the application's own affair. */
function settle({ telemetry, attributes }: TelemetryGiven): TelemetryGiven {
  const said = fieldsOf(telemetry)
  if (said.isEnabled === false || said.tracer !== undefined) return { telemetry, attributes }
  const { isEnabled = isAiSdkEnabled() } = said
  const content = capturesContent() ? {} : { recordInputs: false, recordOutputs: false }
  const kept = Object.entries(withUsage(fieldsOf(attributes))).filter(([name]) => !NEVER.has(name))
  return {
    telemetry: { ...said, isEnabled, ...content },
    attributes: Object.fromEntries(kept.map(([name, value]) => [name, bounded(value)])),
  }
}

/** Counts in the words of the conventions, where they are told twice anyhow; sums of what lies below are left out. */
function withUsage(attributes: Fields): Fields {
  if (GEN_AI.USAGE_INPUT_TOKENS in attributes) return { ...attributes, ...detailsOf(attributes) }
  const entries = Object.entries(attributes).filter(([name]) => !/^ai\.usage\.\w+Token/.test(name))
  return Object.fromEntries(entries)
}

function detailsOf(attributes: Fields): Fields {
  return defined({
    [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: attributes['ai.usage.cachedInputTokens'],
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: attributes['ai.usage.inputTokenDetails.cacheWriteTokens'],
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: attributes['ai.usage.reasoningTokens'],
  })
}

/** Content is asked for by a function, `input` or `output`, whose text may have any length. */
function bounded(value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value
  const { input, output } = value
  if (isMethod(input)) return { input: shortening(() => input.call(value)) }
  if (isMethod(output)) return { output: shortening(() => output.call(value)) }
  return value
}

function shortening(read: () => unknown): () => unknown {
  return () => {
    const content = read()
    return content instanceof Promise ? content.then(shortened) : shortened(content)
  }
}

function shortened(content: unknown): unknown {
  if (Array.isArray(content)) return content.map(shortened)
  if (typeof content !== 'string' || content.length * BYTES_A_CHARACTER <= contentMaxBytes()) return content
  const value = parsedJson(content)
  const text = toBoundedJson(value)
  // A plain text is no JSON, and stays none.
  return value === content ? JSON.parse(text) : text
}

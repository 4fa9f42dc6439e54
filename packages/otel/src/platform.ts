import type { Attributes } from '@opentelemetry/api'
import type { Ledger } from '@svc/core/delivery/ledger'
import { fetchSender } from '@svc/core/delivery/send-fetch'
import type { Environment } from '@svc/core/environment'
import type { HttpSender } from '@svc/core/http-exchange'
import { log } from '@svc/core/log'
import { edgeSettings, type exportSettings } from '@svc/core/settings'
import { DIRECT, type Transport } from '@svc/core/transport'
import type { Compression } from './compression.ts'
import { enriched } from './enrich.ts'
import type { Encoding } from './export/encoding.ts'
import type { ExportMode } from './export/endpoint-export.ts'
import { type ExportQueue, nowhere } from './export/export-queue.ts'
import { JSON_TEXT } from './export/json/json-encoding.ts'
import { isGenAISpan, scopeOf } from './filter.ts'
import type { Keep, KeepParts } from './keep/keep.ts'
import type { MaskFunction } from './mask.ts'
import { withoutMedia } from './media/without-media.ts'
import type { Background, Step } from './pipeline.ts'
import type { LoadPersonal } from './redaction/redaction.ts'
import type { ExportSettings } from './request.ts'
import type { SameCalls } from './same-call.ts'
import type { ReadableSpan, SpanExporter } from './sdk.ts'

/** How requests are sent. */
export interface Connection {
  readonly transport: Transport
  readonly encoding: Encoding
  readonly compression: Compression
  readonly sender: () => HttpSender
}

/** The last step of a span, and what it starts. */
export interface MediaHandling {
  readonly step: Step
  readonly uploads?: Background
}

/** All that is different between servers and the edge functions of `@svc/next`, whose bundle has only what they use. */
export interface Platform {
  /** The rows that are read. The others are undefined. */
  readonly settings: typeof exportSettings
  readonly enrich: Step
  readonly personal: LoadPersonal
  masker(mask: MaskFunction): Step
  exportTo(exporter: SpanExporter, settings: ExportSettings, mode: ExportMode, ledger: Ledger): ExportQueue
  /** Default: each span of a call is told. On the edge no library is instrumented below a framework. */
  sameCalls?(pass: (span: ReadableSpan) => void): SameCalls
  /** Not on the edge, where each request may run in another place, and nothing waits for its end. */
  keepBy?(rules: readonly string[], parts: KeepParts): Keep
  connect(settings: ExportSettings, env: Environment): Connection
  /** @returns undefined if media stay in spans */
  media(settings: ExportSettings, connection: Connection): MediaHandling | undefined
}

/**
 * Edge functions: JSON with `fetch`, uncompressed as the service's contract says, and no uploads. What many of them never
 * use is loaded with the first span that needs it.
 */
export const EDGE: Platform = {
  settings: edgeSettings as typeof exportSettings,
  // What the AI SDK 5 and 6 write, the service reads.
  enrich: (span) => (scopeOf(span) !== 'ai' && isGenAISpan(span) ? withConventions(span) : enriched(span, ...AS_IT_IS)),
  masker: (mask) => deferred(async () => (await import('./mask.ts')).masker(mask)),
  exportTo: (...to) =>
    deferredQueue(async () => new (await import('./export/exporter-export.ts')).ExporterExport(...to)),
  personal: async (asked) => (await import('./redaction/personal.ts')).personal(asked),
  connect: () => ({ transport: DIRECT, encoding: JSON_TEXT, compression: 'none', sender: fetchSender }),
  media: ({ mediaUploadEnabled }) => (mediaUploadEnabled ? { step: withoutMedia } : undefined),
}

const AS_IT_IS = [() => undefined, (attributes: Attributes) => attributes] as const

const withConventions = deferred(async () => {
  const { genAiContent, withKnownCounts } = await import('./dialects/conventions.ts')
  return (span) => enriched(span, (attributes) => genAiContent(attributes), withKnownCounts)
})

/** Returns a step that is loaded with its first span. A span whose step cannot be loaded is lost. */
function deferred(load: () => Promise<Step>): Step {
  let step: Step | undefined
  let loading: Promise<Step> | undefined
  return (span) => {
    if (step) return step(span)
    loading ??= load().then((loaded) => (step = loaded))
    return loading.then((loaded) => loaded(span))
  }
}

/** Returns a queue that is loaded at once, and takes spans until then. Nothing on the edge ends it. */
function deferredQueue(load: () => Promise<ExportQueue>): ExportQueue {
  let queue = nowhere
  let early = 0
  const loading = load().then(
    (loaded) => (queue = loaded),
    (error: unknown) => {
      log.error('The exporter failed:', error)
      return nowhere
    },
  )
  return {
    ...nowhere,
    needsEventLoop: true,
    get pending() {
      return early + queue.pending
    },
    add(span) {
      early += 1
      void loading.then((loaded) => {
        early -= 1
        loaded.add(span)
      })
    },
    flush: async (limits) => (await loading).flush(limits),
    health: () => queue.health(),
  }
}

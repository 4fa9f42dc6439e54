import { fetchSender } from '@svc/core/delivery/send-fetch'
import type { Environment } from '@svc/core/environment'
import type { HttpSender } from '@svc/core/http-exchange'
import { DIRECT, type Transport } from '@svc/core/transport'
import type { Compression } from './compression.ts'
import { conventionsOf } from './dialects/content-of.ts'
import type { ContentOf } from './dialects/service-content.ts'
import type { Encoding } from './export/encoding.ts'
import { JSON_TEXT } from './export/json/json-encoding.ts'
import type { Keep, KeepParts } from './keep/keep.ts'
import { withoutMedia } from './media/without-media.ts'
import type { Background, Step } from './pipeline.ts'
import type { LoadPersonal } from './redaction/redaction.ts'
import type { ExportSettings } from './request.ts'
import type { SameCalls } from './same-call.ts'
import type { ReadableSpan } from './sdk.ts'

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
  readonly contentOf: ContentOf
  readonly personal: LoadPersonal
  /** Default: each span of a call is told. On the edge no library is instrumented below a framework. */
  sameCalls?(pass: (span: ReadableSpan) => void): SameCalls
  /** Not on the edge, where each request may run in another place, and nothing waits for its end. */
  keepBy?(rules: readonly string[], parts: KeepParts): Keep
  connect(settings: ExportSettings, env: Environment): Connection
  /** @returns undefined if media stay in spans */
  media(settings: ExportSettings, connection: Connection): MediaHandling | undefined
}

/** Edge functions: JSON with `fetch`, uncompressed as the service's contract says, and no uploads. */
export const EDGE: Platform = {
  contentOf: conventionsOf,
  personal: async () => (await import('./redaction/personal.ts')).personal(),
  connect: () => ({ transport: DIRECT, encoding: JSON_TEXT, compression: 'none', sender: fetchSender }),
  media: ({ mediaUploadEnabled }) => (mediaUploadEnabled ? { step: withoutMedia } : undefined),
}

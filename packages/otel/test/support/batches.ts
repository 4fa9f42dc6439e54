import { gunzipSync } from 'node:zlib'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import { encodeSpan } from '../../src/export/encode-span.ts'
import { OpenBatch } from '../../src/export/open-batch.ts'
import { spansIn } from './protobuf.ts'

/** A span that ended, without a provider: what the encoder reads of one. */
export function plainSpan(name: string, overrides: Partial<ReadableSpan> = {}): ReadableSpan {
  return {
    name,
    kind: 0,
    spanContext: () => ({ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }),
    startTime: [1, 0],
    endTime: [2, 0],
    duration: [1, 0],
    ended: true,
    status: { code: 0 },
    attributes: {},
    links: [],
    events: [],
    resource: { attributes: {}, merge: () => ({}), getRawAttributes: () => [] } as unknown as ReadableSpan['resource'],
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    ...overrides,
  }
}

const SCOPE = { name: 'scope' }

/** The bytes of a span; of its own, unlike those of `encodeSpan`. */
export function encoded(span: ReadableSpan): Uint8Array<ArrayBuffer> {
  const bytes = encodeSpan(span)
  if (!bytes) throw new Error(`the span "${span.name}" cannot be encoded`)
  return bytes.slice()
}

/** An OTLP request with these spans. */
export function requestOf(...spans: readonly ReadableSpan[]): Uint8Array<ArrayBuffer> {
  const batch = new OpenBatch()
  for (const span of spans) batch.append(span.resource, span.instrumentationScope, encoded(span))
  return batch.seal()
}

/** A sealed batch of spans with these names, not compressed. */
export function batchOf(names: readonly string[], overrides: Partial<SealedBatch> = {}): SealedBatch {
  const resource = plainSpan('').resource
  const body = requestOf(...names.map((name) => plainSpan(name, { resource })))
  return { body, isCompressed: false, rawSize: body.length, items: names.length, sealedAt: 0, epoch: 0, ...overrides }
}

/** The names of the spans in the body of a request, compressed or not. */
export function namesIn(body: Uint8Array): string[] {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b
  return spansIn(isGzip ? gunzipSync(body) : body).map(({ name }) => name)
}

/** `s0`, `s1`, … */
export const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `s${at}`)

import type { Bytes } from '@svc/core/bytes'
import type { Resource, InstrumentationScope as Scope } from '../sdk.ts'
import type { SpanBatch } from './encoding.ts'
import { writeResourceSpans, writeScopeSpans } from './otlp/trace.ts'
import { ProtobufWriter } from './otlp/writer.ts'

/** Estimated bytes of the resources and scopes of a request. The writer grows if they need more. */
const HEAD = 1_024

/**
 * Collects the spans of one request. Spans are appended to one buffer in the order in which they end. OTLP groups them
 * by resource and scope, so their ranges in the buffer are remembered, and are grouped when the batch is sealed.
 */
export class OpenBatch implements SpanBatch {
  readonly #written = new ProtobufWriter()
  /** The ranges of `#written` that hold the spans of a scope: start, end, start, end, … */
  readonly #ranges = new Map<Resource, Map<Scope, number[]>>()
  /** The resource and scope of the last span, and their ranges: the next span mostly has the same. */
  #last: { readonly resource: Resource; readonly scope: Scope; readonly ranges: number[] } | undefined
  spans = 0
  size = 0

  get resources(): Iterable<Resource> {
    return this.#ranges.keys()
  }

  append(resource: Resource, scope: Scope, span: Uint8Array): void {
    const last = this.#last
    const ranges =
      last && last.resource === resource && last.scope === scope ? last.ranges : this.#rangesOf(resource, scope)
    // Consecutive spans of one scope are one range.
    if (ranges[ranges.length - 1] === this.size) ranges.pop()
    else ranges.push(this.size)
    this.size = this.#written.raw(span)
    ranges.push(this.size)
    this.spans += 1
  }

  seal(buffer?: ArrayBuffer): Bytes {
    const request = this.since(0, buffer)
    this.#ranges.clear()
    this.#last = undefined
    this.#written.reset()
    this.size = 0
    this.spans = 0
    return request
  }

  since(size: number, buffer?: ArrayBuffer): Bytes {
    const request = new ProtobufWriter(buffer ?? this.size - size + HEAD)
    for (const [resource, scopes] of this.#ranges) {
      const recent = [...scopes].filter(([, ranges]) => (ranges.at(-1) ?? 0) > size)
      if (recent.length === 0) continue
      writeResourceSpans(request, resource, () => {
        for (const [scope, ranges] of recent) writeScopeSpans(request, scope, () => this.#copy(ranges, size, request))
      })
    }
    return request.view()
  }

  #copy(ranges: readonly number[], size: number, to: ProtobufWriter): void {
    for (let at = 0; at < ranges.length; at += 2) {
      const [from = 0, end = 0] = ranges.slice(at, at + 2)
      if (end > size) to.raw(this.#written.view(Math.max(from, size), end))
    }
  }

  #rangesOf(resource: Resource, scope: Scope): number[] {
    const scopes = this.#ranges.get(resource) ?? new Map<Scope, number[]>()
    const ranges = scopes.get(scope) ?? []
    this.#ranges.set(resource, scopes.set(scope, ranges))
    this.#last = { resource, scope, ranges }
    return ranges
  }
}

import type { ReadableSpan } from '../sdk.ts'
import { writeResourceSpans, writeScopeSpans } from './otlp/trace.ts'
import { ProtobufWriter } from './otlp/writer.ts'

type Resource = ReadableSpan['resource']
type Scope = ReadableSpan['instrumentationScope']

/** Estimated bytes of a resource or a scope. The writer grows if they are more. */
const HEAD = 1_024

/**
 * Collects the spans of one request. Only the bytes of a span are kept; resources and scopes are written when the batch
 * is sealed.
 */
export class OpenBatch {
  readonly #written = new ProtobufWriter()
  /** Where the spans of a scope lie: from, to, from, to, … */
  readonly #places = new Map<Resource, Map<Scope, number[]>>()
  /** The resource and the scope that came last, and their places: most spans come after one of the same. */
  #last: { readonly resource: Resource; readonly scope: Scope; readonly places: number[] } | undefined
  #spans = 0

  get spans(): number {
    return this.#spans
  }

  /** Bytes of the spans. */
  get size(): number {
    return this.#written.length
  }

  get resources(): Iterable<Resource> {
    return this.#places.keys()
  }

  /** @param span an encoded span: see `encodeSpan` */
  append(resource: Resource, scope: Scope, span: Uint8Array): void {
    const places = this.#placesOf(resource, scope)
    const from = this.#written.length
    this.#written.raw(span)
    // Consecutive spans of one scope are one range.
    if (places.at(-1) === from) places.pop()
    else places.push(from)
    places.push(this.#written.length)
    this.#spans += 1
  }

  /**
   * The whole as an OTLP `ExportTraceServiceRequest`; the batch is empty afterwards.
   *
   * @param buffer where to write it, if there is one at hand
   */
  seal(buffer?: ArrayBuffer): Uint8Array<ArrayBuffer> {
    const request = this.since(0, buffer)
    this.#places.clear()
    this.#last = undefined
    this.#written.reset()
    this.#spans = 0
    return request
  }

  /** Returns everything that was appended since the batch had `size` bytes, as a separate request. */
  since(size: number, buffer?: ArrayBuffer): Uint8Array<ArrayBuffer> {
    const request = new ProtobufWriter(buffer ?? this.size - size + HEAD)
    for (const [resource, scopes] of this.#places) {
      const recent = [...scopes].filter(([, places]) => (places.at(-1) ?? 0) > size)
      if (recent.length === 0) continue
      writeResourceSpans(request, resource, () => {
        for (const [scope, places] of recent) writeScopeSpans(request, scope, () => this.#copy(places, size, request))
      })
    }
    return request.view()
  }

  #copy(places: readonly number[], size: number, to: ProtobufWriter): void {
    for (let at = 0; at < places.length; at += 2) {
      const [from = 0, end = 0] = places.slice(at, at + 2)
      if (end > size) to.raw(this.#written.view(Math.max(from, size), end))
    }
  }

  #placesOf(resource: Resource, scope: Scope): number[] {
    const last = this.#last
    if (last && last.resource === resource && last.scope === scope) return last.places
    const scopes = this.#places.get(resource) ?? new Map<Scope, number[]>()
    const places = scopes.get(scope) ?? []
    this.#places.set(resource, scopes.set(scope, places))
    this.#last = { resource, scope, places }
    return places
  }
}

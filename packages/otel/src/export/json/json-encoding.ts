import type { Bytes } from '@svc/core/bytes'
import type { Resource, InstrumentationScope as Scope } from '../../sdk.ts'
import type { Encoding, SpanBatch } from '../encoding.ts'
import { requestJson, type SpansByResource, spanJson } from './otlp-json.ts'

const utf8 = new TextEncoder()
const bytesOf = (text: string) => utf8.encode(text) as Bytes
const decodeText = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** OTLP as JSON: what the edge sends, whose bundle has no room for a writer of protobuf. */
export const JSON_TEXT: Encoding = {
  contentType: 'application/json',

  span(span) {
    try {
      return bytesOf(spanJson(span))
    } catch {
      return undefined
    }
  },

  batch: () => new JsonBatch(),

  halves(request) {
    const { resourceSpans } = JSON.parse(decodeText(request)) as ParsedRequest
    const all = resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ scope, spans }) =>
        spans.map((span) => ({ resource, scopeSpans: [{ scope, spans: [span] }] })),
      ),
    )
    const middle = Math.ceil(all.length / 2)
    return [all.slice(0, middle), all.slice(middle)].map((part) => {
      return { body: bytesOf(JSON.stringify({ resourceSpans: part })), spans: part.length }
    })
  },
}

interface ParsedRequest {
  readonly resourceSpans: readonly {
    readonly resource: unknown
    readonly scopeSpans: readonly { readonly scope: unknown; readonly spans: readonly unknown[] }[]
  }[]
}

class JsonBatch implements SpanBatch {
  readonly #spans: SpansByResource = new Map()
  spans = 0
  size = 0

  get resources(): Iterable<Resource> {
    return this.#spans.keys()
  }

  append(resource: Resource, scope: Scope, span: Uint8Array): void {
    const scopes = this.#spans.get(resource) ?? new Map<Scope, string[]>()
    const spans = scopes.get(scope) ?? []
    this.#spans.set(resource, scopes.set(scope, spans))
    spans.push(decodeText(span))
    this.spans += 1
    this.size += span.length
  }

  seal(): Bytes {
    const request = this.since()
    this.#spans.clear()
    this.spans = 0
    this.size = 0
    return request
  }

  /** All of them: nothing is written ahead where there is no disk. */
  since(): Bytes {
    return bytesOf(requestJson(this.#spans))
  }
}

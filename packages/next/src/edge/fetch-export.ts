import type { Attributes } from '@opentelemetry/api'
import { fetchSender } from '@svc/core/delivery/send-fetch'
import { excerpt, notTheService, tooOld, type Verdict, verdictOf } from '@svc/core/delivery/verdict'
import { bodyText, type HttpResponse } from '@svc/core/http-exchange'
import { log } from '@svc/core/log'
import { type EdgeExportSettings, type ReadableSpan, SPANS, type traceTarget } from '@svc/otel/edge'
import { EdgeExport, REQUEST_BYTES, type Waiting } from './edge-export.ts'
import { requestJson, spanJson } from './otlp-json.ts'

/** Milliseconds until the next attempt where the service refuses every request: its keys or its address are wrong. */
const REFUSED_PAUSE_MS = 60_000

// Not by its own name: Next's webpack build warns of it, and edge runtimes have it or not.
const { CompressionStream: GzipStream } = globalThis as { CompressionStream?: typeof CompressionStream }

interface Prepared extends Waiting {
  readonly json: string
  /** Of its instrumentation scope. */
  readonly scope: string
  /** Milliseconds since 1970. */
  readonly endedAt: number
}

type Target = NonNullable<ReturnType<typeof traceTarget>>

/** Sends spans with `fetch`, as JSON. What does not arrive waits for the next flush, within its bounds in bytes and age. */
export class FetchExport extends EdgeExport<Prepared> {
  protected readonly receiver = 'service'
  readonly #target: Target
  readonly #host: string
  readonly #resource: Attributes
  readonly #sender = fetchSender()
  #compresses: boolean

  constructor(settings: EdgeExportSettings, target: Target, resource: Attributes) {
    super(settings)
    this.#target = { ...target, headers: { ...target.headers, 'content-type': 'application/json' } }
    this.#host = new URL(target.url).host
    this.#resource = resource
    this.#compresses = settings.compression === 'gzip' && GzipStream !== undefined
  }

  protected prepare(span: ReadableSpan): Prepared {
    const json = spanJson(span)
    const { name, version } = span.instrumentationScope
    return { json, bytes: json.length, scope: JSON.stringify({ name, version }), endedAt: Date.now() }
  }

  protected async send(batch: readonly Prepared[]): Promise<void> {
    const verdict = await this.#post(batch)
    if (verdict.kind === 'accepted') {
      this.remove(batch)
      this.ledger.send(batch.length - verdict.rejected)
      this.ledger.drop('rejected', verdict.rejected, verdict.cause)
      this.succeeded()
      return
    }
    this.lastFailure = { at: Date.now(), reason: verdict.cause.text }
    if (verdict.kind === 'split') this.#split(batch, verdict)
    else if (verdict.kind === 'uncompressed' && this.#compresses) this.#compresses = false
    else this.#wait(verdict)
  }

  async #post(batch: readonly Prepared[]): Promise<Verdict> {
    const scopes = new Map<string, string[]>()
    for (const { scope, json } of batch) scopes.set(scope, [...(scopes.get(scope) ?? []), json])
    const { timeoutMs } = this
    const { url, headers } = this.#target
    const parts = { host: this.#host, noun: SPANS, timeoutMs, taken }
    try {
      const text = new Blob([requestJson(this.#resource, scopes)])
      const stream = this.#compresses && GzipStream ? text.stream().pipeThrough(new GzipStream('gzip')) : text
      const body = new Uint8Array(await new Response(stream).arrayBuffer())
      const encoding = this.#compresses ? { 'content-encoding': 'gzip' } : {}
      const response = await this.#sender.send({
        method: 'POST',
        url,
        headers: { ...headers, ...encoding },
        body,
        timeoutMs,
      })
      return verdictOf(response, parts)
    } catch (error) {
      return verdictOf(error as Error, parts)
    }
  }

  #wait(verdict: Exclude<Verdict, { kind: 'accepted' | 'split' }>): void {
    const { kind, cause } = verdict
    if (kind === 'retry') this.pause('paused', verdict.afterMs)
    else this.pause('refused', REFUSED_PAUSE_MS)
    const { maxRetryAge } = this.settings
    const old = this.waiting.filter(({ endedAt }) => Date.now() - endedAt > maxRetryAge * 1_000)
    this.remove(old)
    this.ledger.drop('max_retry_age', old.length, tooOld(cause, this.#host, SPANS, maxRetryAge * 1_000))
    if (this.isAway) log.once('warn', `${this.waiting.length} spans wait: ${cause.text}`, cause.kind)
  }

  /** Fewer at once, down to the one that is the reason. */
  #split(batch: readonly Prepared[], { cause, reason }: Extract<Verdict, { kind: 'split' }>): void {
    if (batch.length > 1) {
      const bytes = batch.reduce((sum, each) => sum + each.bytes, 0)
      this.requestBytes = Math.max(1, Math.floor(bytes / 2))
    } else {
      this.remove(batch)
      this.ledger.drop(reason, 1, cause)
      this.requestBytes = REQUEST_BYTES
    }
  }
}

/** What an answer 2xx means. The service itself answers with any JSON. */
function taken(response: HttpResponse, host: string): Verdict {
  try {
    const answer: unknown = response.body.length === 0 ? {} : JSON.parse(bodyText(response))
    if (response.complete && typeof answer === 'object' && answer !== null) {
      const { partialSuccess } = answer as {
        partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown } | null
      }
      const rejected = Math.max(0, Number(partialSuccess?.rejectedSpans) || 0)
      const why = partialSuccess?.errorMessage ? `: ${excerpt(String(partialSuccess.errorMessage))}` : ''
      return { kind: 'accepted', rejected, cause: { kind: 'partial', text: `${host} rejected spans${why}.` } }
    }
  } catch {
    // It is not what its type says.
  }
  return notTheService(response, host, 'OTLP endpoint')
}

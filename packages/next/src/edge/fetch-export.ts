import type { Attributes } from '@opentelemetry/api'
import { bytesOf } from '@svc/core/bounded-json'
import type { Target } from '@svc/core/delivery/outbox-parts'
import { log } from '@svc/core/log'
import type { EdgeExportSettings, ReadableSpan } from '@svc/otel/edge'
import { EdgeExport, REQUEST_BYTES, type Waiting } from './edge-export.ts'
import { requestJson, spanJson } from './otlp-json.ts'
import { post, type Verdict } from './post.ts'

/** Milliseconds until the next attempt where the service refuses every request: its keys or its address are wrong. */
const REFUSED_PAUSE_MS = 60_000

interface Prepared extends Waiting {
  readonly json: string
  /** Of its instrumentation scope. */
  readonly scope: string
  /** Milliseconds since 1970. */
  readonly endedAt: number
}

/**
 * Sends spans with `fetch`, as JSON, uncompressed. What does not arrive waits for the next flush, within its bounds in
 * bytes and age.
 */
export class FetchExport extends EdgeExport<Prepared> {
  readonly #target: Target
  readonly #resource: Attributes
  // As it is at the start: when a request comes, Next puts one in its place that caches and traces what is sent.
  readonly #fetch = fetch

  constructor(settings: EdgeExportSettings, target: Target, resource: Attributes) {
    super(settings)
    this.#target = { ...target, headers: { ...target.headers, 'content-type': 'application/json' } }
    this.#resource = resource
  }

  protected prepare(span: ReadableSpan): Prepared {
    const json = spanJson(span)
    const { name, version } = span.instrumentationScope
    return { json, bytes: bytesOf(json), scope: JSON.stringify({ name, version }), endedAt: Date.now() }
  }

  protected async send(batch: readonly Prepared[]): Promise<void> {
    const verdict = await this.#post(batch)
    const { kind, cause, afterMs } = verdict
    if (kind === 'accepted') {
      const rejected = Math.min(verdict.rejected ?? 0, batch.length)
      this.remove(batch)
      this.ledger.sent += batch.length - rejected
      this.ledger.drop('rejected', rejected, cause)
      this.succeeded()
      return
    }
    this.lastFailure = { at: Date.now(), reason: cause.text }
    if (kind === 'split') this.#split(batch, verdict)
    else {
      if (kind === 'retry') this.pause('paused', afterMs)
      else this.pause('refused', REFUSED_PAUSE_MS)
      this.#dropOld(cause.text)
      if (this.isHopeless) log.once('warn', `${this.waiting.length} spans wait: ${cause.text}`, cause.kind)
    }
  }

  #post(batch: readonly Prepared[]): Promise<Verdict> {
    const scopes = new Map<string, string[]>()
    for (const { scope, json } of batch) scopes.set(scope, [...(scopes.get(scope) ?? []), json])
    return post(this.#fetch, this.#target, requestJson(this.#resource, scopes), this.timeoutMs)
  }

  #dropOld(why: string): void {
    const seconds = this.settings.maxRetryAge
    const old = this.waiting.filter(({ endedAt }) => Date.now() - endedAt > seconds * 1_000)
    this.remove(old)
    const text = `${why} Spans are retried for ${seconds} s (SVC_OTEL_MAX_RETRY_AGE).`
    this.ledger.drop('max_retry_age', old.length, { kind: 'max_retry_age', text })
  }

  /** Fewer at once, down to the one that is the reason. */
  #split(batch: readonly Prepared[], { cause }: Verdict): void {
    if (batch.length > 1) {
      const bytes = batch.reduce((sum, each) => sum + each.bytes, 0)
      this.requestBytes = bytes / 2
    } else {
      this.remove(batch)
      this.ledger.drop(cause.kind === '413' ? 'too_large' : 'rejected', 1, cause)
      this.requestBytes = REQUEST_BYTES
    }
  }
}

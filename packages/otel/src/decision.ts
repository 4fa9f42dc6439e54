import { TraceFlags } from '@svc/core/api'
import { log, messageOf, warnOnce } from '@svc/core/log'
import type { Cause } from '@svc/core/losses'
import { ON_SERVER } from '@svc/core/on-server'
import { publishLeftOut } from '@svc/core/span-events'
import { DroppedScopes } from './dropped-scopes.ts'
import { isGenAISpan, type ShouldExportSpan, scopeOf, scopePredicate } from './filter.ts'
import { namedOperation } from './model-operation.ts'
import type { ExportSettings } from './request.ts'
import { matchesScope, OWN_SCOPES } from './scopes.ts'
import type { ReadableSpan } from './sdk.ts'

/**
 * Calls the filter and handles its result: an exception drops the span, and so does only a strict `false` (contract
 * 1.4). Blocked scopes and unsampled spans are dropped whatever the filter returns.
 */
export class ExportDecision {
  readonly #blocked: readonly string[]
  /** The filter of the application. */
  readonly #filter: ShouldExportSpan | undefined
  /** Whether all spans of a scope are kept without it. */
  readonly #keepsScope: (scope: string) => boolean
  readonly #lose: (cause: Cause) => void
  readonly #dropped = ON_SERVER ? new DroppedScopes() : undefined
  /** How many spans the filter of the application has refused that are sent without it, before it kept any. */
  #refused = 0

  /** @param lose called for a span that is lost because the filter failed */
  constructor(settings: ExportSettings, shouldExportSpan: ShouldExportSpan | undefined, lose: (cause: Cause) => void) {
    this.#lose = lose
    this.#blocked = settings.blockedScopes
    const given = typeof shouldExportSpan === 'function'
    if (!given && shouldExportSpan) warnOnce('option shouldExportSpan is ignored: expected a function.')
    this.#filter = given ? shouldExportSpan : undefined
    this.#keepsScope = scopePredicate(settings.allowedScopes)
    if (ON_SERVER && !this.#filter) tellIfNeedless(settings.allowedScopes)
  }

  /**
   * The expected decision at the start, from the attributes the span was created with. Also used for open ancestors.
   */
  readonly guess = (span: ReadableSpan): boolean => {
    try {
      return this.#keeps(span)
    } catch {
      // It is called again when the span ends, and what it throws then is reported.
      return false
    }
  }

  /** The decision at the end. On a server, a dropped span is logged at debug level. */
  decide(span: ReadableSpan): boolean {
    try {
      if (this.#keeps(span)) {
        this.#refused = Number.NaN
        return true
      }
      if (ON_SERVER) this.#tell(span)
    } catch (error) {
      this.#failed(span, error)
    }
    return false
  }

  #tell(span: ReadableSpan): void {
    const scope = scopeOf(span)
    const own = this.#filter ? 'shouldExportSpan' : 'default filter'
    const chosen = matchesScope(scope, this.#blocked) ? 'blocked scope' : own
    const reason = isSampled(span) ? chosen : 'unsampled'
    publishLeftOut(scope, reason)
    if (reason !== 'unsampled') this.#dropped?.tell(span, reason)
    if (reason !== 'shouldExportSpan' || !(this.#keepsScope(scope) || isGenAISpan(span))) return
    this.#refused += 1
    if (this.#refused === SUSPICIOUS) warnOnce(ALL_REFUSED)
  }

  #failed(span: ReadableSpan, error: unknown): void {
    const text = `shouldExportSpan failed, so the span "${span.name}" is dropped: ${messageOf(error)}.`
    this.#lose({ kind: 'shouldExportSpan', text })
    log.debug(text, error)
  }

  #keeps(span: ReadableSpan): boolean {
    const scope = scopeOf(span)
    if (!isSampled(span) || matchesScope(scope, this.#blocked)) return false
    if (this.#filter) return !isRefused(this.#filter({ otelSpan: span }))
    // While it is open, nothing else tells what it is.
    return this.#keepsScope(scope) || isGenAISpan(span) || namedOperation(scope, span.name) !== undefined
  }
}

const isSampled = (span: ReadableSpan) => (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0

function isRefused(result: unknown): boolean {
  if (result instanceof Promise) {
    log.once('warn', PROMISED)
    result.catch(() => {})
  }
  return result === false
}

/** Of so many spans, even a filter for errors or for some users keeps one. */
const SUSPICIOUS = 50
const ALL_REFUSED = `shouldExportSpan returned false for each of the first ${SUSPICIOUS} spans, so none is sent. It receives { otelSpan }, not the span.`

/** Whoever lists scopes to send nothing else has listed what is sent anyway. */
function tellIfNeedless(allowed: readonly string[]): void {
  const keeps = scopePredicate([])
  const isKept = (scope: string) => (scope.endsWith('*') ? matchesScope(scope, OWN_SCOPES) : keeps(scope))
  if (allowed.length > 0 && allowed.every(isKept)) warnOnce(NEEDLESS)
}

const NEEDLESS =
  'SVC_OTEL_ALLOWED_SCOPES adds nothing and leaves nothing out: its scopes are sent anyway. SVC_OTEL_BLOCKED_SCOPES leaves scopes out.'
const PROMISED = 'shouldExportSpan returned a promise, so the span is exported: it has to return true or false.'

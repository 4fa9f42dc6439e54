import { TraceFlags } from '@svc/core/api'
import { log, messageOf, warnOnce } from '@svc/core/log'
import type { Cause } from '@svc/core/losses'
import { ON_SERVER } from '@svc/core/on-server'
import { publishLeftOut } from '@svc/core/span-events'
import type { DroppedScopes, DropReason } from './dropped-scopes.ts'
import { isGenAISpan, type ShouldExportSpan, scopeOf } from './filter.ts'
import type { EdgeExportSettings } from './request.ts'
import { matchesScope } from './scopes.ts'
import type { ReadableSpan } from './sdk.ts'

/**
 * Calls the filter and handles its result: an exception drops the span, and so does only a strict `false` (contract
 * 1.4). Blocked scopes and unsampled spans are dropped whatever the filter returns.
 */
export class ExportDecision {
  readonly #blocked: readonly string[]
  /** The filter of the application. */
  readonly #filter: ShouldExportSpan | undefined
  readonly #keepsScope: (scope: string) => boolean
  readonly #lose: (cause: Cause) => void
  readonly #dropped: Pick<DroppedScopes, 'tell'> | undefined

  /**
   * @param keepsScope whether all spans of a scope are kept without `shouldExportSpan`
   * @param lose called for a span that is lost because the filter failed
   * @param dropped called for a span that is dropped
   */
  constructor(
    settings: EdgeExportSettings,
    shouldExportSpan: ShouldExportSpan | undefined,
    keepsScope: (scope: string) => boolean,
    lose: (cause: Cause) => void = () => {},
    dropped?: Pick<DroppedScopes, 'tell'>,
  ) {
    this.#dropped = dropped
    this.#lose = lose
    this.#blocked = settings.blockedScopes
    const given = typeof shouldExportSpan === 'function'
    if (!given && shouldExportSpan) warnOnce('option shouldExportSpan is ignored: expected a function.')
    this.#filter = given ? shouldExportSpan : undefined
    this.#keepsScope = keepsScope
  }

  /**
   * The expected decision at the start, from the attributes the span was created with. Also used for open ancestors.
   */
  readonly guess = (span: ReadableSpan): boolean => {
    try {
      return this.#drops(span) === undefined
    } catch (error) {
      if (ON_SERVER) log.debug(`shouldExportSpan failed for the unfinished span "${span.name}":`, error)
      return false
    }
  }

  /** The decision at the end. A dropped span is logged at debug level. */
  decide(span: ReadableSpan): boolean {
    try {
      const reason = this.#drops(span)
      if (reason === undefined) return true
      if (ON_SERVER) this.#tell(span, reason)
    } catch (error) {
      this.#failed(span, error)
    }
    return false
  }

  #tell(span: ReadableSpan, reason: DropReason | 'unsampled'): void {
    publishLeftOut(scopeOf(span), reason)
    if (reason !== 'unsampled') this.#dropped?.tell(span, reason)
  }

  #failed(span: ReadableSpan, error: unknown): void {
    const text = `shouldExportSpan failed, so the span "${span.name}" is dropped: ${messageOf(error)}.`
    this.#lose({ kind: 'shouldExportSpan', text })
    log.debug(text, error)
  }

  #drops(span: ReadableSpan): DropReason | 'unsampled' | undefined {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return 'unsampled'
    const scope = span.instrumentationScope?.name ?? ''
    if (this.#blocked.length > 0 && matchesScope(scope, this.#blocked)) return 'blocked scope'
    if (this.#filter) return isRefused(this.#filter({ otelSpan: span })) ? 'shouldExportSpan' : undefined
    return this.#keepsScope(scope) || isGenAISpan(span) ? undefined : 'default filter'
  }
}

function isRefused(result: unknown): boolean {
  if (result instanceof Promise) {
    log.once('warn', PROMISED)
    result.catch(() => {})
  }
  return result === false
}

const PROMISED = 'shouldExportSpan returned a promise, so the span is exported: it has to return true or false.'

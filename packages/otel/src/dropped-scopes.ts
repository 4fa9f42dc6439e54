import { isDebugging, log } from '@svc/core/log'
import { scopeOf } from './filter.ts'
import type { ReadableSpan } from './sdk.ts'

/** Why a span was not exported. */
export type ScopeDropReason = 'default filter' | 'blocked scope' | 'shouldExportSpan'

const HINTS: Readonly<Record<ScopeDropReason, (scope: string) => string>> = {
  'default filter': (scope) => `keep them with SVC_OTEL_ALLOWED_SCOPES=${scope}`,
  'blocked scope': () => 'it is in SVC_OTEL_BLOCKED_SCOPES',
  shouldExportSpan: () => 'shouldExportSpan returned false',
}

const CAPACITY = 1_000

/** Logs dropped spans at debug level: each span by name, and each scope once with the setting that keeps it. */
export class DroppedScopes {
  readonly #reported = new Set<string>()

  tell(span: ReadableSpan, reason: ScopeDropReason): void {
    if (!isDebugging()) return
    const scope = scopeOf(span)
    log.debug(`dropped span "${span.name}" of scope "${scope}"`)
    const key = `${reason} ${scope}`
    if (scope === '' || this.#reported.has(key) || this.#reported.size >= CAPACITY) return
    this.#reported.add(key)
    log.debug(`spans of scope "${scope}" are dropped: ${HINTS[reason](scope)}`)
  }
}

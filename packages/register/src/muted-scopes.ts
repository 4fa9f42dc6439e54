import { log } from '@svc/core/log'
import { INFRASTRUCTURE_SCOPES, matchesScope } from '@svc/otel/scopes'
import type { Plan } from './plan.ts'

/**
 * Which scopes cost nothing because nobody wants their spans: known infrastructure and what is blocked, unless it is
 * allowed. Nothing is muted for a second destination, which takes all spans, nor under a predicate of the user,
 * which may want any.
 */
export function mutedScopes({ service, second, params }: Pick<Plan, 'service' | 'second' | 'params'>) {
  if (second || params.shouldExportSpan) return () => false
  return (scope: string): boolean => {
    if (matchesScope(scope, service.blockedScopes)) return true
    if (!matchesScope(scope, INFRASTRUCTURE_SCOPES) || matchesScope(scope, service.allowedScopes)) return false
    log.once('debug', `scope ${scope} is infrastructure and muted. SVC_OTEL_ALLOWED_SCOPES=${scope} keeps its spans.`)
    return true
  }
}

import type { Cause } from '@svc/core/losses'
import { ExportDecision } from './decision.ts'
import { DroppedScopes } from './dropped-scopes.ts'
import { type ShouldExportSpan, scopePredicate } from './filter.ts'
import type { EdgeExportSettings } from './request.ts'

/** The decision of a server: with all known scopes, and a line about what is dropped. */
export function serverDecision(
  settings: EdgeExportSettings,
  filter: ShouldExportSpan | undefined,
  lose: (cause: Cause) => void,
): ExportDecision {
  return new ExportDecision(settings, filter, scopePredicate(settings.allowedScopes), lose, new DroppedScopes())
}

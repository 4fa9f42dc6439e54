import { SDK_SCOPE } from '@svc/core/attributes/constants'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import { EXACT_LLM_SCOPES, KNOWN_LLM_INSTRUMENTATION_SCOPE_PREFIXES, matchesScope, OWN_SCOPES } from './scopes.ts'
import type { ReadableSpan } from './sdk.ts'

/**
 * Decides whether a span is sent. Asked twice: when the span starts (it sees only what the span was created with,
 * and the answer only helps to mark the app root) and when it ends (the decision). Only a strict `false` drops.
 * Must answer at once: a promise counts as "yes". Contract 1.4.
 */
export type ShouldExportSpan = (params: { otelSpan: ReadableSpan }) => boolean

/** What the predicates of this file take: what `shouldExportSpan` receives, or the span alone. */
export type ExportCandidate = ReadableSpan | { readonly otelSpan: ReadableSpan }

function spanOf(candidate: ExportCandidate): ReadableSpan {
  return 'otelSpan' in candidate ? candidate.otelSpan : candidate
}

/** Made by the service SDK itself: instrumentation scope `svc-sdk`. */
export function isSvcSpan(candidate: ExportCandidate): boolean {
  return scopeOf(spanOf(candidate)) === SDK_SCOPE
}

/** Carries at least one attribute of the OpenTelemetry GenAI conventions (`gen_ai.…`). */
export function isGenAISpan(candidate: ExportCandidate): boolean {
  const { attributes } = spanOf(candidate)
  for (const key in attributes) if (key.startsWith(GEN_AI.PREFIX) && Object.hasOwn(attributes, key)) return true
  return false
}

/** Made by an instrumentation in {@link KNOWN_LLM_INSTRUMENTATION_SCOPE_PREFIXES}. */
export function isKnownLLMInstrumentor(candidate: ExportCandidate): boolean {
  return isKnownScope(scopeOf(spanOf(candidate)))
}

function isKnownScope(scope: string): boolean {
  return KNOWN.some(({ name, below }) => scope === name || (below !== undefined && scope.startsWith(below)))
}

const KNOWN = /* @__PURE__ */ KNOWN_LLM_INSTRUMENTATION_SCOPE_PREFIXES.map((name) => ({
  name,
  below: EXACT_LLM_SCOPES.includes(name) ? undefined : `${name}.`,
}))

/**
 * The contract's default filter (1.4): LLM spans and nothing else. For your own `shouldExportSpan` to add to it,
 * not replace it:
 *
 * @param candidate what `shouldExportSpan` receives, or its span alone
 * @example shouldExportSpan: ({ otelSpan }) => isDefaultExportSpan({ otelSpan }) || otelSpan.name === 'checkout'
 */
export function isDefaultExportSpan(candidate: ExportCandidate): boolean {
  return isSvcSpan(candidate) || isKnownLLMInstrumentor(candidate) || isGenAISpan(candidate)
}

/** Most scopes in the cache. An application that generates scope names has the others looked up each time. */
const SCOPES_KNOWN = 1_000

/**
 * Returns whether all spans of a scope are kept without `shouldExportSpan`: by the default filter, as one of this
 * project's own scopes, or as `allowed`. Called several times per span, so scopes are cached.
 */
export function scopePredicate(allowed: readonly string[]): (scope: string) => boolean {
  const kept = [SDK_SCOPE, ...OWN_SCOPES, ...allowed]
  const known = new Map<string, boolean>()
  return (scope) => {
    const decided = known.get(scope)
    if (decided !== undefined) return decided
    const decision = isKnownScope(scope) || matchesScope(scope, kept)
    if (known.size < SCOPES_KNOWN) known.set(scope, decision)
    return decision
  }
}

/** The filter of the processor without `shouldExportSpan`. */
export function scopeFilter(allowed: readonly string[]): ShouldExportSpan {
  const keeps = scopePredicate(allowed)
  return ({ otelSpan }) => keeps(scopeOf(otelSpan)) || isGenAISpan(otelSpan)
}

/** Name of the instrumentation scope; empty for third-party spans without one. */
export function scopeOf(span: ReadableSpan): string {
  return span.instrumentationScope?.name ?? ''
}

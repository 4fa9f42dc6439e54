import { EXACT_LLM_SCOPES, JAVASCRIPT_LLM_SCOPES, matchesScope, OWN_SCOPES } from '../scopes.ts'

/** `scopePredicate` of `filter.ts`, for the scopes that an edge runtime can have. */
export function keepingScopes(allowed: readonly string[]): (scope: string) => boolean {
  const known = JAVASCRIPT_LLM_SCOPES.flatMap((name) => [name, `${name}.*`])
  const kept = [...known, ...EXACT_LLM_SCOPES, ...OWN_SCOPES, ...allowed]
  return (scope) => matchesScope(scope, kept)
}

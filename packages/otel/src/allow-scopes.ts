import { type ShouldExportSpan, scopeFilter } from './filter.ts'

/**
 * The default filter OR one of these scopes: names in full, or prefixes with `*` at the end. The same as the
 * variable `SVC_OTEL_ALLOWED_SCOPES`, for use in code. The result is a plain predicate, so it composes as one.
 *
 * @example
 * new SvcSpanProcessor({ shouldExportSpan: allowScopes('my-tracer', '@arizeai/openinference-*') })
 *
 * @example
 * const llm = allowScopes('my-tracer')
 * new SvcSpanProcessor({ shouldExportSpan: ({ otelSpan }) => llm({ otelSpan }) && otelSpan.name !== 'health' })
 */
export function allowScopes(...patterns: string[]): ShouldExportSpan {
  return scopeFilter(patterns)
}

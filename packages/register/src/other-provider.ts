interface ApiGlobal {
  readonly version?: string
  readonly trace?: { getDelegate?(): object | undefined }
}

/**
 * Why no provider can be registered in this process, with the remedy; undefined when the place is free. The API keeps
 * what is registered in one global, stamped with the version of whoever came first.
 */
export function occupied(
  api = (globalThis as unknown as Record<symbol, ApiGlobal | undefined>)[Symbol.for('opentelemetry.js.api.1')],
): string | undefined {
  if (!api?.trace) return undefined
  // Bundlers number the names of classes: TracerProvider$1.
  const name = api.trace.getDelegate?.()?.constructor.name.replace(/\$\d+$/, '') ?? 'of an unknown kind'
  return (
    `another OpenTelemetry provider (${name}) was registered first, so svc records nothing. ` +
    'Put --import @svc/register before it, or add `new SvcSpanProcessor()` from @svc/otel to its span processors.'
  )
}

/** Said when the API refuses our provider although none is registered: it was stamped by another version. */
export function refused(
  api = (globalThis as unknown as Record<symbol, ApiGlobal | undefined>)[Symbol.for('opentelemetry.js.api.1')],
): string {
  return (
    `@opentelemetry/api ${api?.version ?? 'of another version'} was loaded first and refuses newer packages, so svc ` +
    'records nothing. Update it, or put --import @svc/register before what loads it.'
  )
}

import { type Context, createContextKey } from '@opentelemetry/api'

/** `createContextKey` is `Symbol.for` underneath: other packages and other copies of this one share the key. */
const SUPPRESS = createContextKey('svc.llm.suppress')

/**
 * A context in which calls of a model make no span, because somebody (a framework's instrumentation) records the very
 * same call. Embeddings are still recorded: frameworks have no callback for them.
 */
export function suppressCalls(context: Context): Context {
  return context.setValue(SUPPRESS, true)
}

/** Whether a call of this `gen_ai.operation.name` is recorded by somebody else. */
export function isSuppressed(context: Context, operation: string): boolean {
  return !ALWAYS.has(operation) && context.getValue(SUPPRESS) === true
}

const ALWAYS: ReadonlySet<string> = new Set(['embeddings', 'execute_tool'])

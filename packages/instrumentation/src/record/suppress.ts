import { type Context, createContextKey } from '@opentelemetry/api'

/** `createContextKey` is `Symbol.for` underneath: other packages and other copies of this one share the key. */
const SUPPRESS = createContextKey('svc.llm.suppress')

/**
 * A context in which calls of a model make no span, because somebody (a framework's instrumentation) records the very
 * same call. Tools are still recorded.
 *
 * @param recorded whether that is so for a `gen_ai.operation.name`; asked when the model is called. Default: it is
 */
export function suppressCalls(context: Context, recorded: (operation: string) => boolean = () => true): Context {
  return context.setValue(SUPPRESS, recorded)
}

/** Whether a call of this `gen_ai.operation.name` is recorded by somebody else. */
export function isSuppressed(context: Context, operation: string): boolean {
  if (operation === 'execute_tool') return false
  const recorded = context.getValue(SUPPRESS)
  return typeof recorded === 'function' && recorded(operation) === true
}

import { attempt } from '@svc/core/attempt'
import { fieldsOf } from '../calls/read.ts'
import { followRuns } from './follow-runs.ts'
import { addHandler } from './manager.ts'

/**
 * Makes LangChain record its runs as spans of the global tracer provider: chains, models, tools, retrievers, and the
 * graphs of LangGraph. Never throws.
 *
 * @param exports what a module of `@langchain/core` gave: `callbacks/manager`, `singletons`, `language_models/…`,
 *   `runnables`, `utils/stream`
 * @returns whether there was something that was not instrumented yet
 */
export function instrumentLangChain(exports: unknown): boolean {
  const { CallbackManager } = fieldsOf(exports)
  const added = attempt('instrument @langchain/core', () => addHandler(CallbackManager)) ?? false
  return followRuns(exports) || added
}

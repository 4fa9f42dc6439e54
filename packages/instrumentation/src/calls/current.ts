import { type Context, createContextKey } from '@opentelemetry/api'
import type { Call } from './call.ts'

export const callKey = createContextKey('svc.llm.call')

/** The call whose request runs in `context`. */
export function callOf(context: Context): Call | undefined {
  return context.getValue(callKey) as Call | undefined
}

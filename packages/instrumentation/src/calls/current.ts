import { type Context, createContextKey } from '@opentelemetry/api'
import type { Call } from './call.ts'
import { propagatesToVendors } from './configure.ts'

export const callKey = createContextKey('svc.llm.call')

/** Whether what runs in `context` is a request to the vendor of a model, to whom traces and users are not told. */
export function isVendorBound(context: Context): boolean {
  return context.getValue(callKey) !== undefined && !propagatesToVendors()
}

/** The call whose request runs in `context`. */
export function callOf(context: Context): Call | undefined {
  return context.getValue(callKey) as Call | undefined
}

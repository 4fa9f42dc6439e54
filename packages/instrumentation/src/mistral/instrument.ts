import { observing as observingMethods } from '../patch/wrap-method.ts'
import { METHODS } from './calls.ts'

/** What observes the calls of `@mistralai/mistralai`. */
export const observing = observingMethods('@svc/instrumentation-mistral', METHODS)

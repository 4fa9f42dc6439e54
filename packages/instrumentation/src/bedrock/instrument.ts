import type { Wrappers } from '../patch/patch-methods.ts'
import { observedSend } from './send.ts'

/** What observes the calls of `@aws-sdk/client-bedrock-runtime`. */
export const observing: Wrappers = { send: observedSend }

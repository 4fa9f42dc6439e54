import type { Observing } from '../methods/patch.ts'
import { observedSend } from './send.ts'

/** What observes the calls of `@aws-sdk/client-bedrock-runtime`. */
export const observing: Observing = { send: observedSend }

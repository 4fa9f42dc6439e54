import { context } from '@opentelemetry/api'
import type { Wrappers } from '../../patch/patch-methods.ts'
import { towardsVendor } from '../../record/current.ts'
import { observedSend } from '../send.ts'
import { methodOf } from './commands.ts'

/** What observes the calls of `@aws-sdk/client-bedrock-agent-runtime`. Agents that run at Amazon are told no trace. */
export const observing: Wrappers = {
  send: (send) =>
    observedSend(function (...args) {
      return context.with(towardsVendor(context.active()), () => send.apply(this, args))
    }, methodOf),
}

import { observing as observingClient } from '../stainless/wrap-client.ts'
import { messages } from './messages.ts'
import { hasNativeSpans } from './native.ts'
import { observingToolRunner } from './tool-runner.ts'

/** What observes the calls of `@anthropic-ai/sdk`. */
export const observing = {
  ...observingClient({
    scope: '@svc/instrumentation-anthropic',
    provider: 'anthropic',
    operations: [messages],
    recordsItself: hasNativeSpans,
  }),
  ...observingToolRunner,
}

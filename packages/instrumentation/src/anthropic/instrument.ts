import { patchLibrary } from '../places.ts'
import { observing as observingClient } from '../stainless/observed.ts'
import { messages } from './messages.ts'
import { hasNativeSpans } from './native.ts'

/** What observes the calls of `@anthropic-ai/sdk`. */
export const observing = observingClient({
  scope: '@svc/instrumentation-anthropic',
  provider: 'anthropic',
  operations: [messages],
  recordsItself: hasNativeSpans,
})

/**
 * Makes every client of `@anthropic-ai/sdk` (and of the packages for other platforms, which extend it) record its
 * messages as spans of the global tracer provider. The spans that the library makes itself are switched off, unless the
 * user asked for them; then there are none of ours. Never throws.
 *
 * @param exports what `import * as anthropic from '@anthropic-ai/sdk'` or `require('@anthropic-ai/sdk')` gave
 * @returns whether there was a client class that was not instrumented yet
 */
export function instrumentAnthropic(exports: unknown): boolean {
  return patchLibrary('anthropic', exports, () => observing)
}

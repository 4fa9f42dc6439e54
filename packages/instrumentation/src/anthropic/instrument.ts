import { attempt } from '@svc/core/attempt'
import { exportOf } from '../calls/exports.ts'
import type { Library } from '../stainless/operation.ts'
import { patchClient } from '../stainless/patch.ts'
import { messages } from './messages.ts'
import { hasNativeSpans, settleNativeSpans } from './native.ts'

const anthropic: Library = {
  scope: '@svc/instrumentation-anthropic',
  provider: 'anthropic',
  operations: [messages],
  recordsItself: hasNativeSpans,
}

/**
 * Makes every client of `@anthropic-ai/sdk` (and of the packages for other platforms, which extend it) record its
 * messages as spans of the global tracer provider. The spans that the library makes itself are switched off, unless the
 * user asked for them; then there are none of ours. Never throws.
 *
 * @param exports what `import * as anthropic from '@anthropic-ai/sdk'` or `require('@anthropic-ai/sdk')` gave
 * @returns whether there was a client class that was not instrumented yet
 */
export function instrumentAnthropic(exports: unknown): boolean {
  attempt('switch the spans of @anthropic-ai/sdk off', settleNativeSpans)
  return attempt('instrument @anthropic-ai/sdk', () => patchClient(exportOf(exports, 'Anthropic'), anthropic)) ?? false
}

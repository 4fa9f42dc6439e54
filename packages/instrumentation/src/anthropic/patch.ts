import { attempt } from '@svc/core/attempt'
import { exportOf } from '../gen-ai/read.ts'
import { type Load, memberOf, patchMethods } from '../patch/patch-methods.ts'
import { client } from '../stainless/patch.ts'
import { settleNativeSpans } from './native.ts'

export function patchAnthropic(exports: unknown, load: Load): boolean {
  attempt('switch the spans of @anthropic-ai/sdk off', settleNativeSpans)
  attempt('follow tool runners', () => {
    const messages = memberOf(exportOf(exports, 'Anthropic'), 'Beta', 'Messages')
    patchMethods(messages, ['toolRunner'], () => load().observing)
  })
  return client('Anthropic')(exports, load)
}

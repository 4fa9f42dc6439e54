import { attempt } from '@svc/core/attempt'
import { exportOf } from '../gen-ai/read.ts'
import { getMember, patchMethods } from '../patch/patch-methods.ts'
import { patchClient } from '../stainless/patch.ts'
import { wrappers } from './instrument.ts'
import { configureNativeSpans } from './native.ts'

export function patchAnthropic(exports: unknown): boolean {
  attempt('switch the spans of @anthropic-ai/sdk off', configureNativeSpans)
  attempt('follow tool runners', () => {
    const messages = getMember(exportOf(exports, 'Anthropic'), 'Beta', 'Messages')
    patchMethods(messages, ['toolRunner'], wrappers)
  })
  return patchClient(exportOf(exports, 'Anthropic'), wrappers)
}

import { attempt } from '@svc/core/attempt'
import type { Load } from '../patch/patch-methods.ts'
import { client } from '../stainless/patch.ts'
import { settleNativeSpans } from './native.ts'

export function patchAnthropic(exports: unknown, load: Load): boolean {
  attempt('switch the spans of @anthropic-ai/sdk off', settleNativeSpans)
  return client('Anthropic')(exports, load)
}

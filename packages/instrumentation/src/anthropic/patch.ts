import { attempt } from '@svc/core/attempt'
import { exportOf } from '../gen-ai/read.ts'
import { getMember, patchMethods } from '../patch/patch-methods.ts'
import { helperWrappers } from '../stainless/helpers.ts'
import { patchClient } from '../stainless/patch.ts'
import { createClientWrappers } from '../stainless/wrap-client.ts'
import { batches } from './batches.ts'
import { messages } from './messages.ts'
import { awaitProvider, configureNativeSpans, recordsItself } from './native.ts'
import { toolRunnerWrappers } from './tool-runner.ts'

export function patchAnthropic(exports: unknown): boolean {
  attempt('switch the spans of @anthropic-ai/sdk off', configureNativeSpans)
  attempt('await a tracer provider', () => awaitProvider(exportOf(exports, 'Anthropic')))
  attempt('follow helpers', () => {
    for (const path of [['Messages'], ['Beta', 'Messages']])
      patchMethods(getMember(exportOf(exports, 'Anthropic'), ...path), ['toolRunner', 'parse', 'stream'], wrappers)
  })
  return patchClient(exportOf(exports, 'Anthropic'), wrappers)
}

/** Wraps the methods of `@anthropic-ai/sdk`. */
const wrappers = {
  ...createClientWrappers({
    scope: '@svc/instrumentation-anthropic',
    provider: 'anthropic',
    operations: [messages, batches],
    recordsItself,
  }),
  ...helperWrappers,
  ...toolRunnerWrappers,
}

import { attempt } from '@svc/core/attempt'
import { exportOf } from '../gen-ai/read.ts'
import { type Load, memberOf, patchMethods } from '../patch/patch-methods.ts'
import { client } from '../stainless/patch.ts'

/** The client, its runner of tools, and the runner for responses, which is a helper in a file of its own. */
export function patchOpenAI(exports: unknown, load: Load): boolean {
  const observing = () => load().observing
  attempt('follow tool runners', () => {
    const chats = [['Chat'], ['Beta', 'Chat']].map((path) => memberOf(exportOf(exports, 'OpenAI'), ...path))
    for (const chat of chats) patchMethods(memberOf(chat, 'Completions'), ['runTools'], observing)
    patchMethods(exportOf(exports, 'ResponsesToolRunner'), ['iterate', 'prepareFunction'], observing)
  })
  return client('OpenAI')(exports, load)
}

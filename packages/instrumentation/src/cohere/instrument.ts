import { GEN_AI } from '@svc/core/attributes'
import { Accumulator } from '../gen-ai/accumulator.ts'
import type { RequestContent } from '../gen-ai/content.ts'
import { asArray, asRecord, type Fields } from '../gen-ai/read.ts'
import { observing as observingMethods } from '../patch/wrap-method.ts'
import { asking, embed, withBehind } from './asking.ts'
import { chatStream } from './chat-stream.ts'
import { answerOf, messageOf } from './messages.ts'

/** What observes the calls of the second version of the API of `cohere-ai`. */
export const observing = observingMethods(
  '@svc/instrumentation-cohere',
  withBehind([
    { name: 'chat', operation: 'chat', ask: asking(chatQuestion), answer: answerOf },
    {
      name: 'chatStream',
      operation: 'chat',
      ask: asking(chatQuestion, { [GEN_AI.REQUEST_STREAM]: true }),
      answer: answerOf,
      listen: () => new Accumulator(chatStream),
    },
    embed,
  ]),
)

function chatQuestion({ messages, tools }: Fields): RequestContent {
  return { messages: asArray(messages).map((message) => messageOf(asRecord(message))), tools }
}

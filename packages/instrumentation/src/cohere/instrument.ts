import { GEN_AI } from '@svc/core/attributes'
import { Accumulator } from '../calls/accumulator.ts'
import { type Fields, fieldsOf, listOf } from '../calls/read.ts'
import type { Question } from '../calls/result.ts'
import { observing as observingMethods } from '../methods/observed.ts'
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

function chatQuestion({ messages, tools }: Fields): Question {
  return { messages: listOf(messages).map((message) => messageOf(fieldsOf(message))), tools }
}

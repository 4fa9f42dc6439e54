import { GEN_AI } from '@svc/core/attributes'
import { asking, embed, withBehind } from '../cohere/asking.ts'
import { observing as observingMethods } from '../methods/observed.ts'
import { ChatListener } from './chat-listener.ts'
import { GenerateListener, generateAnswer, generateQuestion } from './generate.ts'
import { answerOf, questionOf } from './messages.ts'

const STREAM = { [GEN_AI.REQUEST_STREAM]: true }

/** What observes the calls of the first version of the API of `cohere-ai`: the methods of `CohereClient` itself. */
export const observing = observingMethods(
  '@svc/instrumentation-cohere',
  withBehind([
    { name: 'chat', operation: 'chat', ask: asking(questionOf), answer: answerOf },
    {
      name: 'chatStream',
      operation: 'chat',
      ask: asking(questionOf, STREAM),
      answer: answerOf,
      listen: () => new ChatListener(),
    },
    { name: 'generate', operation: 'text_completion', ask: asking(generateQuestion), answer: generateAnswer },
    {
      name: 'generateStream',
      operation: 'text_completion',
      ask: asking(generateQuestion, STREAM),
      answer: generateAnswer,
      listen: () => new GenerateListener(),
    },
    embed,
  ]),
)

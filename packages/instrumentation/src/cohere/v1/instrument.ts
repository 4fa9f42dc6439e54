import { GEN_AI } from '@svc/core/attributes'
import { Accumulator } from '../../gen-ai/accumulator.ts'
import { observing as observingMethods } from '../../patch/wrap-method.ts'
import { asking, embed, withBehind } from '../asking.ts'
import { chatStream } from './chat-stream.ts'
import { generateAnswer, generateQuestion, generateStream } from './generate.ts'
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
      listen: () => new Accumulator(chatStream),
    },
    { name: 'generate', operation: 'text_completion', ask: asking(generateQuestion), answer: generateAnswer },
    {
      name: 'generateStream',
      operation: 'text_completion',
      ask: asking(generateQuestion, STREAM),
      answer: generateAnswer,
      listen: () => new Accumulator(generateStream),
    },
    embed,
  ]),
)

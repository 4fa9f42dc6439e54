import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { Accumulator } from '../calls/accumulator.ts'
import { type NumberTable, numbersOf, stopsOf } from '../calls/parameters.ts'
import { defined, type Fields, fieldsOf, isObject, listOf, nameOf } from '../calls/read.ts'
import type { Question } from '../calls/result.ts'
import type { Reader } from '../methods/reader.ts'
import { converseStream } from './converse-stream.ts'
import { converseAnswer, messageOf, partsOf } from './messages.ts'

/** The Converse API, which Amazon's own models speak as well when they are invoked. */
export const converse: Reader = {
  name: 'chat',
  parameters,
  question,
  answer: converseAnswer,
  listen: () => new Accumulator(converseStream),
}

const NUMBERS: NumberTable = Object.entries({
  [GEN_AI.REQUEST_MAX_TOKENS]: ['maxTokens', 'max_new_tokens'],
  [GEN_AI.REQUEST_TEMPERATURE]: ['temperature'],
  [GEN_AI.REQUEST_TOP_P]: ['topP', 'top_p'],
  [GEN_AI.REQUEST_TOP_K]: ['topK', 'top_k'],
})

function parameters({ inferenceConfig, outputConfig, additionalModelRequestFields }: Fields): Attributes {
  const config = fieldsOf(inferenceConfig)
  const { textFormat, effort } = fieldsOf(outputConfig)
  return defined({
    ...numbersOf({ ...fieldsOf(additionalModelRequestFields), ...config }, NUMBERS),
    [GEN_AI.REQUEST_STOP_SEQUENCES]: stopsOf(config.stopSequences),
    [GEN_AI.REQUEST_REASONING_LEVEL]: nameOf(effort),
    [GEN_AI.OUTPUT_TYPE]: isObject(textFormat) ? 'json' : undefined,
  })
}

function question({ system, messages, toolConfig }: Fields): Question {
  const instructions = partsOf(system)
  return {
    ...(instructions.length > 0 ? { instructions } : {}),
    messages: listOf(messages).map(messageOf),
    tools: fieldsOf(toolConfig).tools,
  }
}

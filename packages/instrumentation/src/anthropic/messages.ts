import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { type NumberTable, numbersOf, stopsOf } from '../calls/parameters.ts'
import { defined, type Fields, fieldsOf, isObject, listOf, nameOf, numberOf } from '../calls/read.ts'
import type { Answer, Question, Usage } from '../calls/result.ts'
import type { Operation } from '../stainless/operation.ts'
import { messageOf, partsOf } from './blocks.ts'
import { messageListener } from './message-stream.ts'

/** `messages` and `beta.messages`: `create`, `parse`, `stream` and the tool runner all post here. */
export const messages: Operation = {
  name: 'chat',
  path: /\/messages$/,
  parameters,
  question,
  answer: messageAnswer,
  listen: () => messageListener(messageAnswer),
}

const NUMBERS: NumberTable = Object.entries({
  [GEN_AI.REQUEST_MAX_TOKENS]: ['max_tokens'],
  [GEN_AI.REQUEST_TEMPERATURE]: ['temperature'],
  [GEN_AI.REQUEST_TOP_P]: ['top_p'],
  [GEN_AI.REQUEST_TOP_K]: ['top_k'],
})

function parameters(body: Fields): Attributes {
  const config = fieldsOf(body.output_config)
  return defined({
    ...numbersOf(body, NUMBERS),
    [GEN_AI.REQUEST_STREAM]: body.stream === true ? true : undefined,
    [GEN_AI.REQUEST_STOP_SEQUENCES]: stopsOf(body.stop_sequences),
    [GEN_AI.REQUEST_REASONING_LEVEL]: nameOf(config.effort),
    [GEN_AI.OUTPUT_TYPE]: isObject(config.format) || isObject(body.output_format) ? 'json' : undefined,
  })
}

function question({ system, messages, tools }: Fields): Question {
  const said = listOf(messages).map((message) => messageOf(fieldsOf(message)))
  return {
    ...(system ? { instructions: partsOf(system) } : {}),
    ...(said.length > 0 ? { messages: said } : {}),
    tools,
  }
}

function messageAnswer({ id, model, content, stop_reason, usage }: Fields): Answer {
  const finish_reason = nameOf(stop_reason)
  const parts = partsOf(content)
  return {
    id: nameOf(id),
    model: nameOf(model),
    finishReasons: finish_reason ? [finish_reason] : [],
    messages: parts.length > 0 ? [{ role: 'assistant', parts, ...defined({ finish_reason }) }] : [],
    usage: usageOf(usage),
  }
}

/** Its own count of input leaves out what was read from the cache and what was written to it. */
function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const cacheRead = numberOf(usage.cache_read_input_tokens)
  const cacheWrite = numberOf(usage.cache_creation_input_tokens)
  const uncached = numberOf(usage.input_tokens)
  return {
    input: uncached === undefined ? undefined : uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: numberOf(usage.output_tokens),
    reasoning: numberOf(fieldsOf(usage.output_tokens_details).thinking_tokens),
    ...defined({ cacheRead, cacheWrite }),
  }
}

import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { type NumberTable, numbersOf, stopsOf } from '../calls/parameters.ts'
import { textPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, isObject, listOf, nameOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer, Question, Usage } from '../calls/result.ts'
import { askedOf, isStep, messageOfStep, saidPartsOfStep } from './steps.ts'

const NUMBERS: NumberTable = Object.entries({
  [GEN_AI.REQUEST_MAX_TOKENS]: ['max_output_tokens'],
  [GEN_AI.REQUEST_TEMPERATURE]: ['temperature'],
  [GEN_AI.REQUEST_TOP_P]: ['top_p'],
  [GEN_AI.REQUEST_SEED]: ['seed'],
})

export function interactionParameters({ generation_config, agent, stream, response_format }: Fields): Attributes {
  const config = fieldsOf(generation_config)
  const formats = listOf(response_format).map((format) => fieldsOf(format).mime_type)
  return defined({
    ...numbersOf(config, NUMBERS),
    [GEN_AI.REQUEST_STOP_SEQUENCES]: stopsOf(config.stop_sequences),
    [GEN_AI.REQUEST_REASONING_LEVEL]: nameOf(config.thinking_level)?.toLowerCase(),
    [GEN_AI.REQUEST_STREAM]: stream === true ? true : undefined,
    [GEN_AI.OUTPUT_TYPE]: formats.includes('application/json') ? 'json' : undefined,
    [GEN_AI.AGENT_NAME]: nameOf(agent),
  })
}

/** The input is a text, contents of one message, or all steps so far. */
export function interactionQuestion({ input, system_instruction, tools }: Fields): Question {
  const said = listOf(input)
  const messages = said.some(isStep) ? said.map((step) => messageOfStep(fieldsOf(step))) : [askedOf(said)]
  return {
    ...(textOf(system_instruction) ? { instructions: [textPart(system_instruction)] } : {}),
    ...(said.length > 0 ? { messages } : {}),
    tools,
  }
}

export function interactionAnswer({ id, model, status, steps, usage, errors }: Fields): Answer {
  const finish_reason = status === 'in_progress' ? undefined : nameOf(status)
  const parts = listOf(steps).flatMap((step) => saidPartsOfStep(fieldsOf(step)))
  const { code, message } = fieldsOf(listOf(errors)[0])
  return {
    id: nameOf(id),
    model: nameOf(model),
    finishReasons: finish_reason ? [finish_reason] : [],
    messages: parts.length > 0 ? [{ role: 'assistant', parts, ...defined({ finish_reason }) }] : [],
    usage: usageOf(usage),
    failure:
      status === 'failed'
        ? { type: nameOf(code) ?? 'failed', message: nameOf(message) ?? 'the interaction failed' }
        : undefined,
  }
}

/** As in the other API, thoughts are counted beside what was said, and built-in tools beside the prompt. */
function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const reasoning = numberOf(usage.total_thought_tokens)
  const said = numberOf(usage.total_output_tokens)
  const prompt = numberOf(usage.total_input_tokens)
  return {
    input: prompt === undefined ? undefined : prompt + (numberOf(usage.total_tool_use_tokens) ?? 0),
    output: said === undefined && reasoning === undefined ? undefined : (said ?? 0) + (reasoning ?? 0),
    ...defined({ cacheRead: numberOf(usage.total_cached_tokens), reasoning }),
  }
}

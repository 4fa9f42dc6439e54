import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { Accumulator } from '../gen-ai/accumulator.ts'
import type { RequestContent } from '../gen-ai/content.ts'
import { extraParameters, type NumberTable, readNumbers, readStopSequences } from '../gen-ai/parameters.ts'
import { asArray, asName, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { converseStream } from './converse-stream.ts'
import { readConverseResponse, toMessage, toParts } from './messages.ts'

/** The Converse API, which Amazon's own models also use when they are invoked. */
export const converse: Reader = {
  name: 'chat',
  readParameters,
  readRequest,
  readResponse: readConverseResponse,
  createAccumulator: () => new Accumulator(converseStream),
}

const NUMBERS: NumberTable = Object.entries({
  [GEN_AI.REQUEST_MAX_TOKENS]: ['maxTokens', 'max_new_tokens'],
  [GEN_AI.REQUEST_TEMPERATURE]: ['temperature'],
  [GEN_AI.REQUEST_TOP_P]: ['topP', 'top_p'],
  [GEN_AI.REQUEST_TOP_K]: ['topK', 'top_k'],
})

function readParameters(request: Fields): Attributes {
  const { inferenceConfig, outputConfig, additionalModelRequestFields, toolConfig, serviceTier } = request
  const config = asRecord(inferenceConfig)
  const { textFormat, effort } = asRecord(outputConfig)
  return defined({
    ...readNumbers({ ...asRecord(additionalModelRequestFields), ...config }, NUMBERS),
    [GEN_AI.REQUEST_STOP_SEQUENCES]: readStopSequences(config.stopSequences),
    [GEN_AI.REQUEST_REASONING_LEVEL]: asName(effort),
    [GEN_AI.OUTPUT_TYPE]: isObject(textFormat) ? 'json' : undefined,
    ...extraParameters(
      {
        tool_choice: asRecord(toolConfig).toolChoice,
        service_tier: asRecord(serviceTier).type,
        thinking_budget: asRecord(asRecord(additionalModelRequestFields).thinking).budget_tokens,
      },
      textFormat,
    ),
  })
}

function readRequest({ system, messages, toolConfig, promptVariables }: Fields): RequestContent {
  const instructions = toParts(system)
  return {
    ...(instructions.length > 0 ? { instructions } : {}),
    // Of a stored prompt, whose id is the model.
    ...(promptVariables ? { metadata: { prompt_variables: promptVariables } } : {}),
    messages: [
      ...(promptVariables ? [{ role: 'user', parts: [{ type: 'prompt', variables: promptVariables }] }] : []),
      ...asArray(messages).map(toMessage),
    ],
    tools: asRecord(toolConfig).tools,
  }
}

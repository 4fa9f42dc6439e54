import { Accumulator, type StreamSchema } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { findChoiceFailure, findFailure, findFailureBeside } from '../gen-ai/failure.ts'
import { last, list, text } from '../gen-ai/merge.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { readTextInput } from '../gen-ai/text-input.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { HEAD, isFinished } from './chat-stream.ts'
import { readRequestParameters } from './parameters.ts'
import { readOpenAiUsage, readPricing } from './usage.ts'

/** `completions.create`: text completion. */
export const completions: ModelEndpoint = {
  name: 'text_completion',
  path: /(?<!\/chat)\/completions$/,
  readParameters: readRequestParameters,
  readRequest: ({ prompt }) => readTextInput(prompt),
  readResponse,
  createAccumulator: (read = readResponse) => new Accumulator(createStreamSchema(read)),
}

function readResponse(response: Fields): ResponseContent {
  const { id, model, choices, usage } = response
  const messages = asArray(choices).map((choice) => {
    const { text, finish_reason } = asRecord(choice)
    return { role: 'assistant', parts: [textPart(text)], ...defined({ finish_reason: asName(finish_reason) }) }
  })
  const failures = asArray(choices).flatMap((choice) => findChoiceFailure(asRecord(choice)) ?? [])
  return {
    id: asName(id) || undefined,
    model: asName(model) || undefined,
    finishReasons: messages.flatMap(({ finish_reason }) => finish_reason ?? []),
    messages,
    usage: readOpenAiUsage(usage),
    ...readPricing(undefined, usage),
    failure: messages.length === 0 ? findFailure(response) : (findFailureBeside(response) ?? failures[0]),
  }
}

function createStreamSchema(read: (response: Fields) => ResponseContent): StreamSchema {
  return {
    table: { ...HEAD, choices: list({ text, finish_reason: last, error: last }) },
    isComplete: isFinished,
    readResponse: (whole) =>
      // A choice without text is a text as well.
      read({ ...whole, choices: asArray(whole.choices).map((choice) => ({ text: '', ...asRecord(choice) })) }),
  }
}

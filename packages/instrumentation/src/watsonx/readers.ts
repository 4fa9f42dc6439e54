import { asArray, asRecord, type Fields } from '../gen-ai/read.ts'
import { type Reader, translateReader } from '../gen-ai/reader.ts'
import { chat as openaiChat } from '../openai/chat.ts'
import { completions } from '../openai/completions.ts'
import { embeddings as openaiEmbeddings } from '../openai/embeddings.ts'

// Translates watsonx into OpenAI's API.

/** `textChat`: OpenAI's responses, and OpenAI's requests with other parameter names. */
export const chat: Reader = translateReader(openaiChat, {
  translateRequest: ({ maxTokens, maxCompletionTokens, frequencyPenalty, presencePenalty, topP, ...rest }) => ({
    ...rest,
    max_tokens: maxTokens,
    max_completion_tokens: maxCompletionTokens,
    frequency_penalty: frequencyPenalty,
    presence_penalty: presencePenalty,
    top_p: topP,
    response_format: rest.responseFormat,
    reasoning_effort: rest.reasoningEffort,
  }),
  translateResponse: toChatResponse,
})

/** `generateText` */
export const text: Reader = translateReader(completions, {
  translateRequest: ({ input, parameters }) => {
    const { max_new_tokens, temperature, top_p, random_seed, stop_sequences } = asRecord(parameters)
    return { prompt: input, max_tokens: max_new_tokens, temperature, top_p, seed: random_seed, stop: stop_sequences }
  },
  translateResponse: toTextResponse,
  createEventTranslator: createTextEventTranslator,
})

/** `embedText`. Vectors are not read. */
export const embeddings: Reader = translateReader(openaiEmbeddings, {
  translateRequest: ({ inputs }) => ({ input: inputs }),
  translateResponse: ({ result }) => {
    const { model_id, input_token_count } = asRecord(result)
    return { model: model_id, usage: { prompt_tokens: input_token_count } }
  },
})

function toChatResponse(response: Fields): Fields {
  const { model_id, ...rest } = readResult(response)
  return { ...rest, model: rest.model ?? model_id, error: errorIn(rest) }
}

function toTextResponse(response: Fields): Fields {
  const { model_id, results, ...rest } = readResult(response)
  return { model: model_id, choices: toChoices(results), usage: toUsage(asArray(results)), error: errorIn(rest) }
}

/** Each event has the output tokens so far, and the first one the input tokens. */
function createTextEventTranslator(): (event: Fields) => Fields {
  let prompt: unknown
  return (event) => {
    const { model_id, results } = event
    const { input_token_count, generated_token_count } = asRecord(asArray(results)[0])
    prompt ||= input_token_count
    const usage = { prompt_tokens: prompt, completion_tokens: generated_token_count }
    return {
      model: model_id,
      choices: toChoices(results),
      usage: generated_token_count ? usage : undefined,
      error: errorIn(event),
    }
  }
}

/** An event in the middle of a stream that failed; the library hands it on like the others. */
function errorIn({ errors }: Fields): unknown {
  return asArray(errors)[0]
}

function toChoices(results: unknown): Fields[] {
  return asArray(results).map((result, index) => {
    const { generated_text, stop_reason } = asRecord(result)
    return { index, text: generated_text, finish_reason: stop_reason === 'not_finished' ? undefined : stop_reason }
  })
}

function toUsage(results: readonly unknown[]): Fields | undefined {
  const { input_token_count, generated_token_count } = asRecord(results[0])
  return { prompt_tokens: input_token_count, completion_tokens: generated_token_count }
}

/** A whole response is wrapped with its status and headers. */
function readResult(response: Fields): Fields {
  return asRecord(response.result ?? response)
}

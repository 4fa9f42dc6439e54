import type { Usage } from '../gen-ai/content.ts'
import { type DetailedCounts, type Details, readDetails } from '../gen-ai/detailed-counts.ts'
import { asNumber, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { withParts } from '../gen-ai/usage.ts'
import { allOutput, readOpenAiUsage } from '../openai/usage.ts'

/** Reads the token counts of a message, or else the provider's for all messages. */
export function readUsage(message: Fields, llmOutput: Fields): DetailedCounts | undefined {
  const usage = asRecord(message.usage_metadata)
  const { promptTokens, completionTokens, totalTokens } = asRecord(llmOutput.tokenUsage)
  const input = asNumber(usage.input_tokens) ?? asNumber(promptTokens)
  const answer = asNumber(usage.output_tokens) ?? asNumber(completionTokens)
  if (input === undefined && answer === undefined) return undefined
  const total = asNumber(usage.total_tokens) ?? asNumber(totalTokens)
  const [ofInput, ofOutput] = [readParts(usage.input_token_details), readParts(usage.output_token_details)]
  const lacksThoughts = isGoogles(message) && ofOutput.reasoning === undefined
  const output = lacksThoughts ? allOutput(answer, input, total) : answer
  const { cacheRead: cache_read, cacheWrite: cache_creation, reasoning } = readOpenAiUsage(vendorUsage(message)) ?? {}
  const counts = {
    input,
    output,
    total,
    inputDetails: withCacheWrites(
      { ...ofInput, ...defined({ cache_read, cache_creation }) },
      asRecord(message.response_metadata),
    ),
    outputDetails: { ...ofOutput, ...defined({ reasoning }) },
    predictions: readPredictions(asRecord(asRecord(message.response_metadata).usage)),
  }
  return { ...counts, ...wholeSums(counts) }
}

/** Whether a message is Gemini's, whose thoughts `@langchain/google-genai` has in the total only. */
function isGoogles({ response_metadata, additional_kwargs }: Fields): boolean {
  // A chunk names its provider, a whole message has Gemini's own fields.
  return (
    /^google/.test(String(asRecord(response_metadata).model_provider)) ||
    asRecord(additional_kwargs).finishReason !== undefined
  )
}

/**
 * Reads the parts of a sum that have a price of their own. Counts above a limit of Gemini's are in the other parts, too,
 * and by modality what was cached is counted again.
 */
function readParts(details: unknown): Details {
  return Object.fromEntries(Object.entries(readDetails(details)).filter(([name]) => !WITHOUT_PRICE.test(name)))
}

const WITHOUT_PRICE = /over_200k$|^(text|image|video|document)$/

/**
 * Returns the usage as the vendor reports it; nothing if LangChain has added up those of several chunks, which repeat or
 * grow.
 */
export function vendorUsage({ usage_metadata, response_metadata }: Fields): Fields {
  const { input_tokens, output_tokens } = asRecord(usage_metadata)
  const usage = asRecord(asRecord(response_metadata).usage)
  const { prompt_tokens = input_tokens, completion_tokens = output_tokens } = usage
  return prompt_tokens === input_tokens && completion_tokens === output_tokens ? usage : {}
}

/** Returns the sums with all of their parts. */
function wholeSums(counts: DetailedCounts): Pick<DetailedCounts, 'input' | 'output' | 'total'> {
  const { cacheRead = 0, cacheWrite = 0, reasoning = 0 } = toUsage(counts)
  const input = withParts(counts.input, cacheRead + cacheWrite)
  // xAI counts reasoning beside the output, but in the total.
  const isApart = reasoning > 0 && counts.total === (input ?? 0) + (counts.output ?? 0) + reasoning
  const output = isApart ? (counts.output ?? 0) + reasoning : withParts(counts.output, reasoning)
  return { input, output, total: counts.total && Math.max(counts.total, (input ?? 0) + (output ?? 0)) }
}

/** Converts to the GenAI conventions, where sums include details. */
export function toUsage({ input, output, inputDetails, outputDetails, predictions }: DetailedCounts): Usage {
  return {
    input,
    output,
    cacheRead: inputDetails.cache_read,
    ...cacheWrites(inputDetails),
    reasoning: outputDetails.reasoning,
    inputAudio: inputDetails.audio,
    outputAudio: outputDetails.audio,
    acceptedPrediction: predictions?.accepted_prediction_tokens,
    rejectedPrediction: predictions?.rejected_prediction_tokens,
  }
}

/** LangChain's counts have none of OpenAI's predicted tokens. */
function readPredictions({ completion_tokens_details }: Fields): Details {
  const { accepted_prediction_tokens, rejected_prediction_tokens } = readDetails(completion_tokens_details)
  return {
    ...(accepted_prediction_tokens && { accepted_prediction_tokens }),
    ...(rejected_prediction_tokens && { rejected_prediction_tokens }),
  }
}

/**
 * Splits what was written to Anthropic's cache by its lifetime, which decides the price. LangChain's counts have the sum
 * only; the vendor's own, or LiteLLM's, stand in the metadata of the message.
 */
function withCacheWrites(details: Details, metadata: Fields): Details {
  const { cache_creation, prompt_tokens_details } = asRecord(metadata.usage)
  const { ephemeral_5m_input_tokens, ephemeral_1h_input_tokens } = {
    ...details,
    ...readDetails(cache_creation ?? asRecord(prompt_tokens_details).cache_creation_token_details),
  }
  if (ephemeral_5m_input_tokens === undefined && ephemeral_1h_input_tokens === undefined) return details
  const [fiveMinutes, hour] = [ephemeral_5m_input_tokens ?? 0, ephemeral_1h_input_tokens ?? 0]
  const { cache_creation: sum = 0, ephemeral_5m_input_tokens: _, ephemeral_1h_input_tokens: __, ...others } = details
  const rest = sum - fiveMinutes - hour
  return {
    ...others,
    ...(rest > 0 && { cache_creation: rest }),
    cache_creation_5m: fiveMinutes,
    cache_creation_1h: hour,
  }
}

function cacheWrites({ cache_creation: rest, cache_creation_5m, cache_creation_1h }: Details) {
  if (cache_creation_5m === undefined && cache_creation_1h === undefined) return { cacheWrite: rest }
  const [cacheWrite5m, cacheWrite1h] = [cache_creation_5m ?? 0, cache_creation_1h ?? 0]
  return { cacheWrite: (rest ?? 0) + cacheWrite5m + cacheWrite1h, cacheWrite5m, cacheWrite1h }
}

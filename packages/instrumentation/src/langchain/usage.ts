import { ownFields } from '@svc/core/own'
import type { Usage } from '../gen-ai/content.ts'
import { asNumber, asRecord, defined, type Fields } from '../gen-ai/read.ts'

/** LangChain's token counts; details are included in the sums. */
export interface LangChainUsage {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly total: number | undefined
  readonly inputDetails: Readonly<Record<string, number>>
  readonly outputDetails: Readonly<Record<string, number>>
}

/** Reads the token counts of a message, or else the provider's for all messages. */
export function readUsage(message: Fields, llmOutput: Fields): LangChainUsage | undefined {
  const usage = asRecord(message.usage_metadata)
  const { promptTokens, completionTokens, totalTokens } = asRecord(llmOutput.tokenUsage)
  const input = asNumber(usage.input_tokens) ?? asNumber(promptTokens)
  const output = asNumber(usage.output_tokens) ?? asNumber(completionTokens)
  if (input === undefined && output === undefined) return undefined
  return {
    input,
    output,
    total: asNumber(usage.total_tokens) ?? asNumber(totalTokens),
    inputDetails: readNumbers(usage.input_token_details),
    outputDetails: readNumbers(usage.output_token_details),
  }
}

/** Converts to the GenAI conventions, where sums include details. */
export function toUsage({ input, output, inputDetails, outputDetails }: LangChainUsage): Usage {
  return {
    input,
    output,
    cacheRead: inputDetails.cache_read,
    cacheWrite: inputDetails.cache_creation,
    cacheWrite5m: inputDetails.ephemeral_5m_input_tokens,
    cacheWrite1h: inputDetails.ephemeral_1h_input_tokens,
    reasoning: outputDetails.reasoning,
    inputAudio: inputDetails.audio,
    outputAudio: outputDetails.audio,
  }
}

/** Converts to the service's counts: `input_cache_read` beside an `input` without it. */
export function toUsageDetails({
  input,
  output,
  total,
  inputDetails,
  outputDetails,
}: LangChainUsage): Record<string, number> {
  return {
    ...defined({ input: subtractDetails(input, inputDetails), output: subtractDetails(output, outputDetails), total }),
    ...prefixDetails('input', inputDetails),
    ...prefixDetails('output', outputDetails),
  }
}

function subtractDetails(sum: number | undefined, details: Readonly<Record<string, number>>): number | undefined {
  return sum === undefined ? undefined : Object.values(details).reduce((rest, count) => Math.max(0, rest - count), sum)
}

function prefixDetails(prefix: string, details: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(details).map(([name, count]) => [`${prefix}_${name}`, count]))
}

function readNumbers(details: unknown): Record<string, number> {
  const numbers: Record<string, number> = ownFields({})
  for (const [name, count] of Object.entries(asRecord(details)).slice(0, 32)) {
    const number = asNumber(count)
    if (number !== undefined) numbers[name] = number
  }
  return numbers
}

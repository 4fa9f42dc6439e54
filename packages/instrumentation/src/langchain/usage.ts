import type { Usage } from '../gen-ai/content.ts'
import { asNumber, asRecord, defined, type Fields } from '../gen-ai/read.ts'

/** Tokens as LangChain counts them: the details are parts of the sums. */
export interface Counts {
  readonly input: number | undefined
  readonly output: number | undefined
  readonly total: number | undefined
  readonly inputDetails: Readonly<Record<string, number>>
  readonly outputDetails: Readonly<Record<string, number>>
}

/** What a message says of its tokens, or else what the provider said of all of them. */
export function countsOf(message: Fields, llmOutput: Fields): Counts | undefined {
  const said = asRecord(message.usage_metadata)
  const { promptTokens, completionTokens, totalTokens } = asRecord(llmOutput.tokenUsage)
  const input = asNumber(said.input_tokens) ?? asNumber(promptTokens)
  const output = asNumber(said.output_tokens) ?? asNumber(completionTokens)
  if (input === undefined && output === undefined) return undefined
  return {
    input,
    output,
    total: asNumber(said.total_tokens) ?? asNumber(totalTokens),
    inputDetails: numbersIn(said.input_token_details),
    outputDetails: numbersIn(said.output_token_details),
  }
}

/** In the words of the GenAI conventions, where the sums stay sums. */
export function asUsage({ input, output, inputDetails, outputDetails }: Counts): Usage {
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

/** In the service's words: `input_cache_read` beside an `input` without it. */
export function asUsageDetails({ input, output, total, inputDetails, outputDetails }: Counts): Record<string, number> {
  return {
    ...defined({ input: less(input, inputDetails), output: less(output, outputDetails), total }),
    ...named('input', inputDetails),
    ...named('output', outputDetails),
  }
}

function less(sum: number | undefined, details: Readonly<Record<string, number>>): number | undefined {
  return sum === undefined ? undefined : Object.values(details).reduce((rest, count) => Math.max(0, rest - count), sum)
}

function named(prefix: string, details: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(details).map(([name, count]) => [`${prefix}_${name}`, count]))
}

function numbersIn(details: unknown): Record<string, number> {
  const numbers: Record<string, number> = {}
  for (const [name, count] of Object.entries(asRecord(details)).slice(0, 32)) {
    const number = asNumber(count)
    if (number !== undefined) numbers[name] = number
  }
  return numbers
}

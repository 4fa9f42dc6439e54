import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import type { Usage } from '../gen-ai/content.ts'
import { readCost, readHeaderCost, readMetadataCost } from '../gen-ai/cost.ts'
import { asName, asNumber, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { usageDetails } from '../gen-ai/usage.ts'
import { readOpenAiUsage } from '../openai/usage.ts'
import type { AttributeDialect } from './streamed-output.ts'

export const SERVICE_TIER = `${GEN_AI.REQUEST_PREFIX}service_tier`
const SPEED = `${GEN_AI.REQUEST_PREFIX}speed`

/**
 * Returns what determines the price of a request to a model beside its tokens: its cost, its service tier, and counts that
 * the SDK has no place for and the GenAI conventions no name.
 *
 * @param answer of a model, its last chunk, or the event that reports it
 * @param counts the token counts that are recorded of it, by their attributes
 */
export function pricing(answer: Fields, counts: Fields, dialect: AttributeDialect): Attributes {
  const { providerMetadata, modelId, response } = answer
  const raw = asRecord(rawUsage(answer))
  const { headers, body } = asRecord(response)
  const cost = readCost(raw) ?? readMetadataCost(providerMetadata) ?? readHeaderCost((name) => asRecord(headers)[name])
  const { service_tier, speed } = servedBy(raw, providerMetadata, body)
  const model = asName(modelId) ?? asName(asRecord(response).modelId)
  // The SDK's own telemetry has the metadata of the provider, in which the service finds these counts by itself.
  const details = dialect === 'ai' ? undefined : detailsOf(raw, asRecord(providerMetadata), counts, model)
  return defined({
    [ATTRIBUTE.OBSERVATION_COST_DETAILS]: cost === undefined ? undefined : JSON.stringify({ total: cost }),
    [ATTRIBUTE.OBSERVATION_USAGE_DETAILS]: details && JSON.stringify(details),
    [SERVICE_TIER]: service_tier,
    [SPEED]: speed,
  })
}

/** Returns the token counts as the vendor sent them: whole in the body of an answer, else as far as the SDK keeps them. */
export function rawUsage({ usage, response }: Fields): unknown {
  return asRecord(asRecord(response).body).usage ?? asRecord(usage).raw
}

/** The parameters as served: OpenAI names its tier in the metadata or beside the usage, Anthropic within it. */
function servedBy(raw: Fields, providerMetadata: unknown, body: unknown) {
  const all = Object.values(asRecord(providerMetadata)).map(asRecord)
  const sources = [...all.map(({ usage }) => asRecord(usage)), raw, asRecord(body)]
  const find = (name: string) => sources.map((source) => asName(source[name])).find(Boolean)
  const tier = all.map(({ serviceTier }) => asName(serviceTier)).find(Boolean)
  return { service_tier: tier ?? find('service_tier'), speed: find('speed') }
}

/** Undefined if the conventions have a name for each of the counts. */
function detailsOf(raw: Fields, { anthropic, openai }: Fields, counts: Fields, model: string | undefined) {
  const { usage } = asRecord(anthropic)
  const reported = { ...raw, ...asRecord(usage) }
  const { ephemeral_5m_input_tokens, ephemeral_1h_input_tokens } = asRecord(reported.cache_creation)
  const { acceptedPredictionTokens, rejectedPredictionTokens } = asRecord(openai)
  const { inputAudio, outputAudio, acceptedPrediction, rejectedPrediction, cacheWrite5m, cacheWrite1h, webSearches } =
    readOpenAiUsage(reported) ?? {}
  const others: Partial<Usage> = defined({
    inputAudio,
    outputAudio,
    acceptedPrediction: asNumber(acceptedPredictionTokens) ?? acceptedPrediction,
    rejectedPrediction: asNumber(rejectedPredictionTokens) ?? rejectedPrediction,
    cacheWrite5m: asNumber(ephemeral_5m_input_tokens) ?? cacheWrite5m,
    cacheWrite1h: asNumber(ephemeral_1h_input_tokens) ?? cacheWrite1h,
    webSearches,
  })
  if (!Object.values(others).some(Boolean)) return undefined
  const sums: Usage = {
    input: asNumber(counts[GEN_AI.USAGE_INPUT_TOKENS]),
    output: asNumber(counts[GEN_AI.USAGE_OUTPUT_TOKENS]),
    cacheRead: asNumber(counts[GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]),
    cacheWrite: asNumber(counts[GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]),
    reasoning: asNumber(counts[GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]),
  }
  return usageDetails({ ...sums, ...others }, model ?? (anthropic === undefined ? undefined : 'claude'))
}

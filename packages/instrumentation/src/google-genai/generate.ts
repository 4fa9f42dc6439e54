import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { capturesContent } from '../gen-ai/configure.ts'
import type { Message, RequestContent, ResponseContent, Usage } from '../gen-ai/content.ts'
import { trafficTier } from '../gen-ai/cost.ts'
import { extraParameters, type NumberTable, readNumbers, readStopSequences } from '../gen-ai/parameters.ts'
import { referencePart } from '../gen-ai/parts.ts'
import { asArray, asName, asNumber, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { toMessages, toOutputParts, toParts } from './contents.ts'

const NUMBERS: NumberTable = Object.entries({
  [GEN_AI.REQUEST_MAX_TOKENS]: ['maxOutputTokens'],
  [GEN_AI.REQUEST_TEMPERATURE]: ['temperature'],
  [GEN_AI.REQUEST_TOP_P]: ['topP'],
  [GEN_AI.REQUEST_TOP_K]: ['topK'],
  [GEN_AI.REQUEST_FREQUENCY_PENALTY]: ['frequencyPenalty'],
  [GEN_AI.REQUEST_PRESENCE_PENALTY]: ['presencePenalty'],
  [GEN_AI.REQUEST_SEED]: ['seed'],
  [GEN_AI.EMBEDDINGS_DIMENSION_COUNT]: ['outputDimensionality'],
})

export function readParameters(config: Fields): Attributes {
  const choices = asNumber(config.candidateCount)
  const { thinkingLevel, thinkingBudget } = asRecord(config.thinkingConfig)
  const level = asName(thinkingLevel)
  const { responseLogprobs, logprobs, responseJsonSchema, responseSchema = responseJsonSchema } = config
  const { functionCallingConfig } = asRecord(config.toolConfig)
  return defined({
    ...readNumbers(config, NUMBERS),
    ...metadataAttributes({ cached_content: asName(config.cachedContent) }),
    [GEN_AI.REQUEST_CHOICE_COUNT]: choices === 1 ? undefined : choices,
    [GEN_AI.REQUEST_STOP_SEQUENCES]: readStopSequences(config.stopSequences),
    [GEN_AI.REQUEST_REASONING_LEVEL]: level?.toLowerCase(),
    [GEN_AI.OUTPUT_TYPE]: config.responseMimeType === 'application/json' ? 'json' : undefined,
    ...extraParameters(
      {
        thinking_budget: thinkingBudget,
        tool_choice: asName(asRecord(functionCallingConfig).mode)?.toLowerCase(),
        logprobs: responseLogprobs,
        top_logprobs: logprobs,
        service_tier: asName(config.serviceTier)?.toLowerCase(),
      },
      responseSchema,
    ),
  })
}

export function readRequest({ contents, config }: Fields): RequestContent {
  const { systemInstruction, tools, cachedContent } = asRecord(config)
  const messages = toMessages(contents)
  // What stands before the contents, and is known to the service only.
  const cached = asName(cachedContent)
  if (cached !== undefined) messages.unshift({ role: 'user', parts: [referencePart('cached content', cached)] })
  return {
    ...(systemInstruction ? { instructions: toParts(systemInstruction) } : {}),
    ...(messages.length > 0 ? { messages } : {}),
    // A tool may be an object with methods (MCP), which JSON omits.
    tools,
  }
}

export function readContentResponse({
  candidates,
  usageMetadata,
  modelVersion,
  responseId,
  promptFeedback,
}: Fields): ResponseContent {
  const messages = asArray(candidates).map((candidate) => toMessage(asRecord(candidate)))
  const { blockReason, blockReasonMessage } = asRecord(promptFeedback)
  const blocked = asName(blockReason)
  const tier = trafficTier(asRecord(usageMetadata).trafficType)
  const reasons = asArray(candidates).flatMap((candidate) => asName(asRecord(candidate).finishMessage) || [])
  const finish_message = reasons[0] ?? asName(blockReasonMessage)
  return {
    id: asName(responseId),
    model: asName(modelVersion),
    finishReasons: [...messages.flatMap(({ finish_reason }) => finish_reason ?? []), ...(blocked ? [blocked] : [])],
    messages: messages.filter(({ parts }) => parts.length > 0),
    usage: readUsage(usageMetadata, asArray(candidates)),
    citations: asArray(candidates).flatMap(readSources),
    ...(tier === undefined ? {} : { served: { service_tier: tier } }),
    // It may quote the answer: a call that has no such function, for example.
    ...(finish_message && capturesContent() ? { metadata: { finish_message } } : {}),
  }
}

function toMessage({ content, finishReason }: Fields): Message {
  return { role: 'assistant', parts: toOutputParts(content), ...defined({ finish_reason: asName(finishReason) }) }
}

/** Google's output count excludes reasoning, and its prompt count excludes results of built-in tools. */
function readUsage(usage: unknown, candidates: readonly unknown[]): Usage | undefined {
  if (!isObject(usage)) return undefined
  const reasoning = asNumber(usage.thoughtsTokenCount)
  const generated = asNumber(usage.candidatesTokenCount)
  const prompt = asNumber(usage.promptTokenCount)
  return {
    input: prompt === undefined ? undefined : prompt + (asNumber(usage.toolUsePromptTokenCount) ?? 0),
    output: generated === undefined && reasoning === undefined ? undefined : (generated ?? 0) + (reasoning ?? 0),
    ...defined({
      cacheRead: asNumber(usage.cachedContentTokenCount),
      reasoning,
      inputAudio: countAudioTokens(usage.promptTokensDetails, usage.cacheTokensDetails),
      outputAudio: countAudioTokens(usage.candidatesTokensDetails),
      webSearches: countSearches(candidates),
    }),
  }
}

/** Counts audio tokens. Cached ones are counted as cached. */
export function countAudioTokens(details: unknown, cached?: unknown): number | undefined {
  if (details === undefined) return undefined
  const sum = (list: unknown) =>
    asArray(list)
      .map(asRecord)
      .filter(({ modality }) => asName(modality)?.toLowerCase() === 'audio')
      .reduce((all, { tokens, tokenCount = tokens }) => all + (asNumber(tokenCount) ?? 0), 0)
  return Math.max(0, sum(details) - sum(cached)) || undefined
}

/** Pages that Google found, and works that the answer repeats. */
function readSources(candidate: unknown): unknown[] {
  const { groundingMetadata, citationMetadata } = asRecord(candidate)
  // The second is its name on the wire.
  const { citations, citationSources = citations } = asRecord(citationMetadata)
  return [...asArray(asRecord(groundingMetadata).groundingChunks), ...asArray(citationSources)]
}

function countSearches(candidates: readonly unknown[]): number | undefined {
  const queries = candidates.flatMap((candidate) => {
    return asArray(asRecord(asRecord(candidate).groundingMetadata).webSearchQueries)
  })
  return queries.length || undefined
}

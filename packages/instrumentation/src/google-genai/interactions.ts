import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import type { RequestContent, ResponseContent, Usage } from '../gen-ai/content.ts'
import { extraParameters, type NumberTable, readNumbers, readStopSequences } from '../gen-ai/parameters.ts'
import { referencePart, textPart } from '../gen-ai/parts.ts'
import { asArray, asName, asNumber, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { countAudioTokens } from './generate.ts'
import { isStep, stepToMessage, stepToOutputParts, toUserMessage } from './steps.ts'

const NUMBERS: NumberTable = Object.entries({
  [GEN_AI.REQUEST_MAX_TOKENS]: ['max_output_tokens'],
  [GEN_AI.REQUEST_TEMPERATURE]: ['temperature'],
  [GEN_AI.REQUEST_TOP_P]: ['top_p'],
  [GEN_AI.REQUEST_SEED]: ['seed'],
})

export function readInteractionParameters(request: Fields): Attributes {
  const { generation_config, agent, stream, response_format, previous_interaction_id, cached_content, environment } =
    request
  const config = asRecord(generation_config)
  const formats = asArray(response_format).map((format) => asRecord(format).mime_type)
  return defined({
    ...readNumbers(config, NUMBERS),
    [GEN_AI.REQUEST_STOP_SEQUENCES]: readStopSequences(config.stop_sequences),
    [GEN_AI.REQUEST_REASONING_LEVEL]: asName(config.thinking_level)?.toLowerCase(),
    [GEN_AI.REQUEST_STREAM]: stream === true ? true : undefined,
    [GEN_AI.OUTPUT_TYPE]: formats.includes('application/json') ? 'json' : undefined,
    [GEN_AI.AGENT_NAME]: asName(agent),
    ...metadataAttributes({
      previous_interaction_id: asName(previous_interaction_id),
      cached_content: asName(cached_content),
      environment_id: asName(environment),
    }),
    ...extraParameters({ service_tier: request.service_tier }),
  })
}

/** Reads the input: a text, the contents of one message, or all previous steps. */
export function readInteractionRequest({ input, system_instruction, tools, ...named }: Fields): RequestContent {
  const contents = asArray(input)
  const messages = contents.some(isStep)
    ? contents.map((step) => stepToMessage(asRecord(step)))
    : [toUserMessage(contents)]
  const { previous_interaction_id: previous, cached_content: cached } = named
  if (previous) messages.unshift({ role: 'user', parts: [referencePart('previous interaction', previous)] })
  if (cached) messages.unshift({ role: 'user', parts: [referencePart('cached content', cached)] })
  return {
    ...(asString(system_instruction) ? { instructions: [textPart(system_instruction)] } : {}),
    ...(contents.length > 0 ? { messages } : {}),
    tools,
  }
}

export function readInteractionResponse(interaction: Fields): ResponseContent {
  const { id, model, status, steps, usage, errors, service_tier, environment_id } = interaction
  const finish_reason = status === 'in_progress' ? undefined : asName(status)
  const parts = asArray(steps).flatMap((step) => stepToOutputParts(asRecord(step)))
  const { code, message } = asRecord(asArray(errors)[0])
  return {
    id: asName(id),
    model: asName(model),
    finishReasons: finish_reason ? [finish_reason] : [],
    messages: parts.length > 0 ? [{ role: 'assistant', parts, ...defined({ finish_reason }) }] : [],
    usage: readUsage(usage),
    citations: asArray(steps).flatMap((step) => asArray(asRecord(step).content).flatMap(readAnnotations)),
    ...(asName(service_tier) ? { served: { service_tier: String(service_tier) } } : {}),
    ...(asName(environment_id) ? { metadata: { environment_id } } : {}),
    failure:
      status === 'failed'
        ? { type: asName(code) ?? 'failed', message: asName(message) ?? 'the interaction failed' }
        : undefined,
  }
}

/** The library asks again for what is too long for one answer: a later request may fail. */
export function readPartialInteraction(error: unknown): ResponseContent | undefined {
  const { partialInteraction } = asRecord(error)
  return isObject(partialInteraction) ? readInteractionResponse(partialInteraction) : undefined
}

/** Google's output count excludes reasoning, and its prompt count excludes results of built-in tools. */
function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const reasoning = asNumber(usage.total_thought_tokens)
  const contents = asNumber(usage.total_output_tokens)
  const prompt = asNumber(usage.total_input_tokens)
  return {
    input: prompt === undefined ? undefined : prompt + (asNumber(usage.total_tool_use_tokens) ?? 0),
    output: contents === undefined && reasoning === undefined ? undefined : (contents ?? 0) + (reasoning ?? 0),
    ...defined({
      cacheRead: asNumber(usage.total_cached_tokens),
      reasoning,
      inputAudio: countAudioTokens(usage.input_tokens_by_modality, usage.cached_tokens_by_modality),
      outputAudio: countAudioTokens(usage.output_tokens_by_modality),
      webSearches: countSearches(usage.grounding_tool_count),
    }),
  }
}

const readAnnotations = (content: unknown) => asArray(asRecord(content).annotations)

function countSearches(tools: unknown): number | undefined {
  const searches = asArray(tools)
    .map(asRecord)
    .filter(({ type }) => type === 'google_search')
  return searches.reduce((sum, { count }) => sum + (asNumber(count) ?? 0), 0) || undefined
}

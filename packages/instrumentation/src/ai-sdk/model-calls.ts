import { ATTRIBUTE, GEN_AI, GENERAL } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { providerName } from '@svc/core/provider-name'
import { asArray, asNumber, asRecord, type Fields } from '../gen-ai/read.ts'
import { sourcesIn } from './answer.ts'
import { toJson } from './attribute-values.ts'
import { promptText } from './call-texts.ts'
import type { RecordedContent } from './operations.ts'
import { pricing } from './pricing.ts'
import { modelUsage } from './usage.ts'

/** Fields of the start of a request to a language model. */
export function modelStart({ instructions, messages, tools }: Fields, { inputs, texts }: RecordedContent): Fields {
  const request = { instructions, messages: asArray(messages), tools: asArray(tools) }
  return { [ATTRIBUTE.OBSERVATION_INPUT]: inputs ? texts.input(request) : undefined }
}

/** Fields of the end of a request to a language model. */
export function modelEnd(event: Fields, { outputs, texts }: RecordedContent): Fields {
  const { performance, request, provider, finishReason, responseId, modelId, usage } = event
  const counts = modelUsage(usage)
  const content = asArray(event.content).map(asRecord)
  return {
    ...performanceFields(asRecord(performance)),
    ...serverFields(asRecord(request).url),
    [GEN_AI.PROVIDER_NAME]: providerName(provider),
    [GEN_AI.RESPONSE_FINISH_REASONS]: [finishReason],
    [GEN_AI.RESPONSE_ID]: responseId,
    [GEN_AI.RESPONSE_MODEL]: modelId,
    ...counts,
    ...pricing(event, counts, 'gen_ai'),
    ...(outputs && sourcesIn(content)),
    [ATTRIBUTE.OBSERVATION_OUTPUT]: outputs ? texts.output(answerIn(content)) : undefined,
  }
}

function answerIn(content: readonly Fields[]) {
  const parts = (type: string) => content.filter((part) => part.type === type)
  return {
    text: parts('text')
      .map(({ text }) => text)
      .join(''),
    reasoning: parts('reasoning'),
    toolCalls: parts('tool-call'),
    toolResults: parts('tool-result'),
    files: parts('file').map(({ file }) => file),
  }
}

function performanceFields({ responseTimeMs, timeToFirstOutputMs, timeBetweenOutputChunksMs }: Fields): Fields {
  return {
    [GEN_AI.CLIENT_DURATION]: seconds(responseTimeMs),
    [GEN_AI.CLIENT_TIME_TO_FIRST_CHUNK]: seconds(timeToFirstOutputMs),
    [GEN_AI.CLIENT_TIME_PER_OUTPUT_CHUNK]: seconds(asRecord(timeBetweenOutputChunksMs).avg),
  }
}

/** Returns the server of a request, if its URL is known. */
function serverFields(address: unknown): Fields {
  const url = typeof address === 'string' ? URL.parse(address) : null
  const defaultPort = url && own(DEFAULT_PORTS, url.protocol)
  if (!url || defaultPort === undefined) return {}
  return {
    // IPv6 addresses are in brackets.
    [GENERAL.SERVER_ADDRESS]: url.hostname.replace(/^\[|\]$/g, ''),
    [GENERAL.SERVER_PORT]: Number(url.port) || defaultPort,
  }
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

export function objectModelStart(
  { promptMessages: prompt }: Fields,
  instructions: unknown,
  { inputs }: RecordedContent,
): Fields {
  return {
    [GEN_AI.OUTPUT_TYPE]: 'json',
    [ATTRIBUTE.OBSERVATION_INPUT]: inputs && Array.isArray(prompt) ? promptText(instructions, prompt) : undefined,
  }
}

/** Fields of the end of a request for an object: its text, before it is parsed. */
export function objectModelEnd(event: Fields, { outputs, texts }: RecordedContent): Fields {
  const { request, finishReason, response, usage, objectText } = event
  const { id, modelId } = asRecord(response)
  const counts = modelUsage(usage)
  return {
    ...serverFields(asRecord(request).url),
    [GEN_AI.RESPONSE_FINISH_REASONS]: [finishReason],
    [GEN_AI.RESPONSE_ID]: id,
    [GEN_AI.RESPONSE_MODEL]: modelId,
    ...counts,
    ...pricing(event, counts, 'gen_ai'),
    [ATTRIBUTE.OBSERVATION_OUTPUT]: outputs ? texts.output({ text: objectText }) : undefined,
  }
}

export function toolStart(tool: Fields, type: string, { inputs }: RecordedContent): Fields {
  return {
    [GEN_AI.OPERATION_NAME]: 'execute_tool',
    [GEN_AI.TOOL_NAME]: tool.toolName,
    [GEN_AI.TOOL_CALL_ID]: tool.toolCallId,
    [GEN_AI.TOOL_TYPE]: type,
    [ATTRIBUTE.OBSERVATION_INPUT]: inputs ? toJson(tool.input) : undefined,
  }
}

export function toolResult({ output }: Fields, { outputs }: RecordedContent): Fields {
  return { [ATTRIBUTE.OBSERVATION_OUTPUT]: outputs ? toJson(output) : undefined }
}

export function seconds(milliseconds: unknown): number | undefined {
  const known = asNumber(milliseconds)
  return known === undefined ? undefined : known / 1_000
}

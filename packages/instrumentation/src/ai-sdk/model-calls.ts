import { GEN_AI, GENERAL } from '@svc/core/attributes'
import { asArray, asNumber, asRecord, type Fields } from '../gen-ai/read.ts'
import { toJson } from './attribute-values.ts'
import { objectMessages, promptMessages, systemInstructions } from './messages.ts'
import type { Recorded } from './operations.ts'
import { providerName } from './provider-name.ts'
import { withObserved } from './tool-definitions.ts'
import { modelUsage } from './usage.ts'

/** What a request to a language model is asked. */
export function modelStart({ messages }: Fields, tools: readonly unknown[] | undefined, recorded: Recorded): Fields {
  if (!recorded.inputs) return {}
  return {
    [GEN_AI.INPUT_MESSAGES]: asArray(messages).length > 0 ? recorded.texts.input(messages) : undefined,
    [GEN_AI.TOOL_DEFINITIONS]: tools && toJson(tools),
  }
}

/** What a language model answered. */
export function modelEnd(event: Fields, tools: readonly unknown[] | undefined, recorded: Recorded): Fields {
  const { performance, request, provider, finishReason, responseId, modelId, usage } = event
  const content = asArray(event.content).map(asRecord)
  const observed = recorded.inputs ? withObserved(tools ?? [], content) : undefined
  return {
    ...performanceFields(asRecord(performance)),
    ...serverFields(asRecord(request).url),
    [GEN_AI.PROVIDER_NAME]: providerName(provider),
    [GEN_AI.RESPONSE_FINISH_REASONS]: [finishReason],
    [GEN_AI.RESPONSE_ID]: responseId,
    [GEN_AI.RESPONSE_MODEL]: modelId,
    ...modelUsage(usage),
    [GEN_AI.OUTPUT_MESSAGES]: recorded.outputs ? recorded.texts.output(answered(content, finishReason)) : undefined,
    ...(observed ? { [GEN_AI.TOOL_DEFINITIONS]: toJson(observed) } : {}),
  }
}

function answered(content: readonly Fields[], finishReason: unknown) {
  const parts = (type: string) => content.filter((part) => part.type === type)
  return {
    text: parts('text')
      .map(({ text }) => text)
      .join(''),
    reasoning: parts('reasoning'),
    toolCalls: parts('tool-call'),
    toolResults: parts('tool-result'),
    files: parts('file').map(({ file }) => file),
    finishReason,
  }
}

function performanceFields({ responseTimeMs, timeToFirstOutputMs, timeBetweenOutputChunksMs }: Fields): Fields {
  return {
    [GEN_AI.CLIENT_DURATION]: seconds(responseTimeMs),
    [GEN_AI.CLIENT_TIME_TO_FIRST_CHUNK]: seconds(timeToFirstOutputMs),
    [GEN_AI.CLIENT_TIME_PER_OUTPUT_CHUNK]: seconds(asRecord(timeBetweenOutputChunksMs).avg),
  }
}

let lastServer: { readonly address: unknown; readonly fields: Fields } | undefined

/** Where the request went, if it says so. Most calls go where the one before went. */
function serverFields(address: unknown): Fields {
  if (typeof address !== 'string') return {}
  if (lastServer?.address !== address) lastServer = { address, fields: serverAt(address) }
  return lastServer.fields
}

function serverAt(address: string): Fields {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const defaultPort = url && DEFAULT_PORTS[url.protocol]
  if (!url || defaultPort === undefined) return {}
  return {
    // An address of version 6 is in brackets.
    [GENERAL.SERVER_ADDRESS]: url.hostname.replace(/^\[|\]$/g, ''),
    [GENERAL.SERVER_PORT]: Number(url.port) || defaultPort,
  }
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** What a language model is asked for an object. The prompt repeats the instructions at its beginning. */
export function objectModelStart(
  { promptMessages: prompt }: Fields,
  instructions: unknown,
  { inputs }: Recorded,
): Fields {
  const own = systemInstructions(instructions).length
  return {
    [GEN_AI.OUTPUT_TYPE]: 'json',
    [GEN_AI.INPUT_MESSAGES]: inputs && Array.isArray(prompt) ? toJson(promptMessages(prompt.slice(own))) : undefined,
  }
}

/** The text of an object, before it is parsed. */
export function objectModelEnd(
  { request, finishReason, response, usage, objectText }: Fields,
  { outputs }: Recorded,
): Fields {
  const { id, modelId } = asRecord(response)
  return {
    ...serverFields(asRecord(request).url),
    [GEN_AI.RESPONSE_FINISH_REASONS]: [finishReason],
    [GEN_AI.RESPONSE_ID]: id,
    [GEN_AI.RESPONSE_MODEL]: modelId,
    ...modelUsage(usage),
    [GEN_AI.OUTPUT_MESSAGES]: outputs ? toJson(objectMessages(objectText, finishReason)) : undefined,
  }
}

/** A call of a tool. */
export function toolStart(tool: Fields, type: string, { inputs }: Recorded): Fields {
  return {
    [GEN_AI.OPERATION_NAME]: 'execute_tool',
    [GEN_AI.TOOL_NAME]: tool.toolName,
    [GEN_AI.TOOL_CALL_ID]: tool.toolCallId,
    [GEN_AI.TOOL_TYPE]: type,
    [GEN_AI.TOOL_CALL_ARGUMENTS]: inputs ? toJson(tool.input) : undefined,
  }
}

/** What a tool gave back. */
export function toolResult({ output }: Fields, { outputs }: Recorded): Fields {
  return { [GEN_AI.TOOL_CALL_RESULT]: outputs ? toJson(output) : undefined }
}

export function seconds(milliseconds: unknown): number | undefined {
  const known = asNumber(milliseconds)
  return known === undefined ? undefined : known / 1_000
}

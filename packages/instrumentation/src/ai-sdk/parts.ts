import { SpanKind } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { asArray, asRecord, type Fields } from '../gen-ai/read.ts'
import { asEmbeddingInput, readTextInput } from '../gen-ai/text-input.ts'
import { requestContentAttributes } from '../record/write.ts'
import { attributesOf } from './attribute-values.ts'
import { errorType, recordErrorStatus, recordFailure } from './failure.ts'
import {
  modelEnd,
  modelStart,
  objectModelEnd,
  objectModelStart,
  seconds,
  toolResult,
  toolStart,
} from './model-calls.ts'
import type { OpenSpan } from './open-span.ts'
import { modelFields, requestedFields } from './operations.ts'
import type { SdkCall } from './sdk-call.ts'
import { undefinedTools } from './tool-definitions.ts'

/** Keys of parts that a call has one at a time. */
export const STEP = 'step'
export const MODEL = 'model'
const RERANK = 'rerank'
const DECISION = 'decision'

export const toolKey = (toolCallId: unknown) => `tool ${toolCallId}`
const embedKey = (embedCallId: unknown) => `embed ${embedCallId}`

/** Applies an event to the spans of its call. */
type PartHook = (call: SdkCall, event: Fields) => void

/** The events that start and end a part of a call. */
export const PART_HOOKS = {
  onStepStart(call, event) {
    call.runtimeContext = event.runtimeContext
    call.requested = { ...call.requested, ...requestedFields(event) }
    const name = `step ${asArray(event.steps).length + 1}`
    const fields = [{ [GEN_AI.OPERATION_NAME]: 'agent_step' }]
    call.startPart({ key: STEP, role: 'step', name, kind: SpanKind.INTERNAL, spanType: 'step', fields }, event)
  },
  onStepEnd(call, event) {
    if (!call.part(STEP)) return
    // After an error a stream can end without an event for the end of its request.
    call.recordDuration({ errorType: failureOf(event), timestamp: event.timestamp }, call.part(MODEL))
    call.endPart(STEP, event, (step) => finish(step, event, {}))
  },
  onStepError(call, event) {
    if (!call.part(STEP)) return
    call.recordDuration({ errorType: errorType(event.error), timestamp: event.timestamp }, call.part(MODEL))
    for (const key of [MODEL, STEP]) call.endPart(key, event, (span) => recordFailure(span, event.error))
  },
  onLanguageModelCallStart(call, event) {
    const step = call.part(STEP)
    if (!step) return
    call.startMeasuring(event)
    call.tools = asArray(event.tools)
    const { modelId, provider } = event
    const fields = [
      call.request,
      call.requested,
      modelFields('chat', provider, modelId),
      modelStart(event, call.recorded),
    ]
    const name = `chat ${modelId}`
    call.startPart({ key: MODEL, role: 'model', name, spanType: 'languageModel', fields, above: step }, event)
  },
  onLanguageModelCallEnd(call, event) {
    const model = call.part(MODEL)
    if (!model) return
    const { provider, modelId, performance, timestamp } = event
    const { responseTimeMs } = asRecord(performance)
    const end = { responseTimeMs, provider, responseModel: modelId, errorType: failureOf(event), timestamp }
    call.recordDuration(end, model)
    recordProviderTools(call, event)
    call.endPart(MODEL, event, (span) => {
      finish(span, event, modelEnd(event, call.recorded))
      if (call.recorded.inputs) span.addTools(undefinedTools(call.tools, event.content))
    })
  },
  onObjectStepStart(call, event) {
    const { modelId, provider } = event
    const fields = [
      call.request,
      call.requested,
      modelFields('chat', provider, modelId),
      objectModelStart(event, call.instructions, call.recorded),
    ]
    call.startPart({ key: MODEL, role: 'model', name: `chat ${modelId}`, spanType: 'languageModel', fields }, event)
  },
  onObjectStepEnd(call, event) {
    call.endPart(MODEL, event, (span) => finish(span, event, objectModelEnd(event, call.recorded)))
  },
  onToolExecutionStart(call, event) {
    const tool = asRecord(event.toolCall)
    startTool(call, event, tool, tool.providerExecuted ? 'extension' : 'function', STEP)
  },
  onToolExecutionEnd(call, event) {
    const { toolCallId } = asRecord(event.toolCall)
    call.endPart(toolKey(toolCallId), event, (span) => {
      span.setAttributes(attributesOf({ [GEN_AI.EXECUTE_TOOL_DURATION]: seconds(event.toolExecutionMs) }))
      recordToolOutput(call, span, asRecord(event.toolOutput))
    })
  },
  onEmbedStart(call, event) {
    const fields = modelFields('embeddings', call.provider, call.model)
    const content = call.recorded.inputs ? requestContentAttributes(asEmbeddingInput(readTextInput(event.values))) : {}
    const key = embedKey(event.embedCallId)
    const name = `embeddings ${call.model}`
    call.startPart({ key, role: 'model', name, spanType: 'embedding', fields: [fields, content] }, event)
  },
  onEmbedEnd(call, event) {
    const { tokens } = asRecord(event.usage)
    call.endPart(embedKey(event.embedCallId), event, (span) =>
      span.setAttributes(attributesOf({ [GEN_AI.USAGE_INPUT_TOKENS]: tokens })),
    )
  },
  onRerankStart(call, event) {
    const fields = [modelFields('rerank', call.provider, call.model)]
    call.startPart({ key: RERANK, role: 'model', name: `rerank ${call.model}`, spanType: 'reranking', fields }, event)
  },
  onRerankEnd: (call, event) => call.endPart(RERANK, event),
  experimental_onDecisionModelCallStart(call, event) {
    const fields = [modelFields('decide', call.provider, call.model)]
    const name = `decide ${call.model}`
    call.startPart({ key: DECISION, role: 'model', name, spanType: 'experimental_decision', fields }, event)
  },
  experimental_onDecisionModelCallEnd(call, event) {
    const [{ id, modelId }, { inputTokens, outputTokens }] = [asRecord(event.response), asRecord(event.usage)]
    const fields = {
      [GEN_AI.RESPONSE_ID]: id,
      [GEN_AI.RESPONSE_MODEL]: modelId,
      [GEN_AI.USAGE_INPUT_TOKENS]: inputTokens,
      [GEN_AI.USAGE_OUTPUT_TOKENS]: outputTokens,
    }
    call.endPart(DECISION, event, (span) => span.setAttributes(attributesOf(fields)))
  },
} satisfies Readonly<Record<string, PartHook>>

function failureOf({ finishReason }: Fields): string | undefined {
  return finishReason === 'error' ? '_OTHER' : undefined
}

function finish(span: OpenSpan, event: Fields, fields: Fields): void {
  if (failureOf(event) !== undefined) recordErrorStatus(span)
  span.setAttributes(attributesOf(fields))
}

function startTool(call: SdkCall, event: Fields, tool: Fields, type: string, above: string): void {
  const { toolName, toolCallId } = tool
  const [key, name] = [toolKey(toolCallId), `execute_tool ${toolName}`]
  const fields = [toolStart(tool, type, call.recorded)]
  const options = { key, role: 'tool', kind: SpanKind.INTERNAL, spanType: 'tool' } as const
  call.startPart({ ...options, name, fields, above: call.part(above) }, event)
}

function recordToolOutput(call: SdkCall, span: OpenSpan, output: Fields): void {
  if (output.type === 'tool-result') span.setAttributes(attributesOf(toolResult(output, call.recorded)))
  else recordFailure(span, output.error)
}

/** Records tools that the provider ran during a request to the model, which the SDK reports at its end. */
function recordProviderTools(call: SdkCall, event: Fields): void {
  const content = asArray(event.content).map(asRecord)
  if (!content.some(({ providerExecuted }) => providerExecuted)) return
  const outputs = new Map(content.filter(isFinalOutput).map((part) => [part.toolCallId, part]))
  const tools = new Map<unknown, Fields>()
  for (const part of content) {
    const isTool = part.type === 'tool-call' && part.providerExecuted
    if (isTool && !tools.has(part.toolCallId)) tools.set(part.toolCallId, part)
  }
  for (const [id, tool] of tools) {
    // An event that is reported after the fact gives the same time to both ends.
    startTool(call, event, tool, 'extension', MODEL)
    const output = outputs.get(id)
    call.endPart(toolKey(id), event, (span) => output && recordToolOutput(call, span, output))
  }
}

function isFinalOutput({ type, preliminary }: Fields): boolean {
  return type === 'tool-error' || (type === 'tool-result' && preliminary !== true)
}

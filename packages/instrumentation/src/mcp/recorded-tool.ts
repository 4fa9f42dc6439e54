import { context, trace } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { asName, asRecord } from '../gen-ai/read.ts'
import { isInToolSpan } from '../record/current.ts'

/** Scopes of those who record the tools that a model wants called: ours, and the AI SDK's own. */
const RECORDING = /^(@svc\/|svc-sdk$|ai$|gen_ai$)/

/**
 * Whether the active span is the call of this very tool: a framework that offers the tools of a server to a model
 * records them as its own tools, some with the server's name in front (`places__weather`). A tool that asks servers for
 * others is not meant.
 */
export function isRecordedTool(name: string): boolean {
  const { instrumentationScope, attributes, name: title } = asRecord(trace.getActiveSpan())
  if (!RECORDING.test(asName(asRecord(instrumentationScope).name) ?? '')) return false
  const { [GEN_AI.TOOL_NAME]: toolName, 'ai.toolCall.name': aiToolName } = asRecord(attributes)
  const tool = asName(toolName ?? aiToolName ?? (isInToolSpan(context.active()) ? title : undefined))
  return tool === name || tool?.endsWith(`__${name}`) === true
}

import { context, trace } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { fieldsOf, nameOf } from '../calls/read.ts'
import { runOf } from '../langchain/run.ts'

/** Scopes of those who record the tools that a model wants called: ours, and the AI SDK's own. */
const RECORDING = /^(@svc\/|svc-sdk$|ai$|gen_ai$)/

/**
 * Whether the active span is the call of this very tool: a framework that offers the tools of a server to a model
 * records them as its own tools, some with the server's name in front (`places__weather`). A tool that asks servers for
 * others is not meant.
 */
export function isRecordedTool(name: string): boolean {
  const { instrumentationScope, attributes, name: title } = fieldsOf(trace.getActiveSpan())
  if (!RECORDING.test(nameOf(fieldsOf(instrumentationScope).name) ?? '')) return false
  const said = fieldsOf(attributes)
  // The handler of an application names its spans by the tool.
  const untold = runOf(context.active()) ? title : undefined
  const tool = nameOf(said[GEN_AI.TOOL_NAME] ?? said['ai.toolCall.name'] ?? untold)
  return tool === name || tool?.endsWith(`__${name}`) === true
}

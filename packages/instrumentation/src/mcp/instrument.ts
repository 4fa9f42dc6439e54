import { MCP } from '@svc/core/attributes'
import { capturesContent } from '../calls/configure.ts'
import { describeFailure } from '../calls/error.ts'
import { defined, type Fields, fieldsOf, isObject, listOf, nameOf, textOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import type { Asked, ObservedMethod } from '../methods/method.ts'
import { observing as observingMethods } from '../methods/observed.ts'
import { isRecordedTool } from './recorded-tool.ts'
import { taskListener } from './task-stream.ts'

const METHODS: readonly ObservedMethod[] = [
  { name: 'callTool', operation: 'execute_tool', applies, ask, answer },
  { name: 'callToolStream', operation: 'execute_tool', applies, ask, answer, listen: () => taskListener(answer) },
]

/** What observes the calls of `@modelcontextprotocol/sdk`, and of `@modelcontextprotocol/client` that came after it. */
export const observing = observingMethods('@svc/instrumentation-mcp', METHODS)

function applies([called]: readonly unknown[]): boolean {
  return !isRecordedTool(toolOf(called))
}

/** Version 2 takes no schema of the result, so its options come one place earlier. */
function ask(_: Fields, [called, second, third]: readonly unknown[]): Asked {
  const { arguments: input } = fieldsOf(called)
  return {
    tool: toolOf(called),
    attributes: { [MCP.METHOD_NAME]: 'tools/call' },
    question: () => ({ input: input ?? {} }),
    signal: fieldsOf(third ?? second).signal ?? null,
  }
}

function toolOf(called: unknown): string {
  return nameOf(fieldsOf(called).name) ?? 'unknown'
}

/** A tool that fails says so in its result, which is content, and the promise is kept. */
function answer({ content, structuredContent, toolResult, isError }: Fields): Answer {
  const said = listOf(content).map(withoutBytes)
  const result = structuredContent ?? toolResult ?? said
  if (isError !== true) return { result }
  const message = capturesContent() ? said.flatMap((part) => textOf(fieldsOf(part).text) ?? []).join('\n') : ''
  return {
    result,
    failure: { type: 'tool_error', message: describeFailure(nameOf(message) || 'the tool failed').message },
  }
}

/** Pictures, sounds and files come as base64, which is not recorded. */
function withoutBytes(part: unknown): unknown {
  if (!isObject(part)) return part
  const { data: _, resource, ...kept } = part
  const { blob: __, ...described } = fieldsOf(resource)
  return defined({ ...kept, resource: isObject(resource) ? described : undefined })
}

import { MCP } from '@svc/core/attributes'
import { defined, type Fields, fieldsOf, isObject, listOf, nameOf, textOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import type { Asked, ObservedMethod } from '../methods/method.ts'
import { observing as observingMethods } from '../methods/observed.ts'
import { patchLibrary } from '../places.ts'

const METHODS: readonly ObservedMethod[] = [{ name: 'callTool', operation: 'execute_tool', ask, answer }]

/** What observes the calls of `@modelcontextprotocol/sdk`. */
export const observing = observingMethods('@svc/instrumentation-mcp', METHODS)

/**
 * Makes every client of `@modelcontextprotocol/sdk` record the tools it calls as spans of the global tracer provider.
 * Never throws.
 *
 * @param exports what `import * as mcp from '@modelcontextprotocol/sdk/client'` or `require(…)` of it gave
 * @returns whether there was a class that was not instrumented yet
 */
export function instrumentMcp(exports: unknown): boolean {
  return patchLibrary('mcp', exports, () => observing)
}

function ask(_: Fields, [called, , options]: readonly unknown[]): Asked {
  const { name, arguments: input } = fieldsOf(called)
  return {
    tool: nameOf(name) ?? 'unknown',
    attributes: { [MCP.METHOD_NAME]: 'tools/call' },
    question: () => ({ input: input ?? {} }),
    signal: fieldsOf(options).signal ?? null,
  }
}

/** A tool that fails says so in its result, and the promise is kept. */
function answer({ content, structuredContent, toolResult, isError }: Fields): Answer {
  const said = listOf(content).map(withoutBytes)
  const result = structuredContent ?? toolResult ?? said
  if (isError !== true) return { result }
  const message = said.flatMap((part) => textOf(fieldsOf(part).text) ?? []).join('\n')
  return { result, failure: { type: 'tool_error', message: nameOf(message) || 'the tool failed' } }
}

/** Pictures, sounds and files come as base64, which is not recorded. */
function withoutBytes(part: unknown): unknown {
  if (!isObject(part)) return part
  const { data: _, resource, ...kept } = part
  const { blob: __, ...described } = fieldsOf(resource)
  return defined({ ...kept, resource: isObject(resource) ? described : undefined })
}

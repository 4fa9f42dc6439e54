import { type Context, createContextKey, type Span, SpanStatusCode } from '@opentelemetry/api'
import { GEN_AI, GENERAL } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { capturesContent } from '../gen-ai/configure.ts'
import { asName, type Fields } from '../gen-ai/read.ts'
import { describeFailure } from '../record/error.ts'
import { type CallOutcome, INTERRUPTED, outcomeAttributes } from '../record/outcome.ts'
import { getTracer } from '../record/tracer.ts'
import { requestContentAttributes, responseAttributes, write } from '../record/write.ts'
import { readErrorText, readToolResult } from './content.ts'
import { SCOPE } from './turn.ts'

/** Most open tool calls; further ones have no span. */
const LIMIT = 1_000

const KEY = createContextKey('svc.claude-agent.tools')

export function withToolCalls(context: Context, calls: ToolCalls): Context {
  return context.setValue(KEY, calls)
}

export function toolCallsIn(context: Context): ToolCalls | undefined {
  const calls = context.getValue(KEY)
  return calls instanceof ToolCalls ? calls : undefined
}

interface OpenToolCall {
  readonly tool: string
  readonly span: Span
  readonly context: Context
}

/** Open tool calls, by id. */
export class ToolCalls {
  readonly #openCalls = new Map<unknown, OpenToolCall>()

  /** @param context of the agent that requests the call */
  start({ id, name, input }: Fields, context: Context, at: number): void {
    if (this.#openCalls.has(id) || this.#openCalls.size >= LIMIT) return
    const tool = asName(name) ?? 'unknown'
    const attributes = {
      [GEN_AI.OPERATION_NAME]: 'execute_tool',
      [GEN_AI.TOOL_NAME]: tool,
      [GEN_AI.TOOL_CALL_ID]: asName(id) ?? '',
      ...(capturesContent() ? requestContentAttributes({ input: input ?? {} }) : {}),
    }
    const span = getTracer(SCOPE).startSpan(`execute_tool ${tool}`, { attributes, startTime: at }, context)
    this.#openCalls.set(id, { tool, span, context: withSpan(context, span) })
  }

  /** Returns the context for the work of a tool; a subagent is a tool, too. */
  contextOf(id: unknown): Context | undefined {
    return this.#openCalls.get(id)?.context
  }

  /**
   * Returns the context of the last open call of an application's tool. `mcp__places__weather` is a call of `weather`.
   */
  contextOfLastCall(name: string): Context | undefined {
    return [...this.#openCalls.values()].findLast(({ tool }) => tool.endsWith(`__${name}`))?.context
  }

  /** Ends a call with its result block. */
  end({ tool_use_id, content, is_error }: Fields, at: number): void {
    const { span } = this.#openCalls.get(tool_use_id) ?? {}
    if (!span) return
    this.#openCalls.delete(tool_use_id)
    write(span, responseAttributes({ result: readToolResult(content) }))
    if (is_error === true) {
      const message = capturesContent() ? readErrorText(content) : ''
      span.setAttribute(GENERAL.ERROR_TYPE, 'tool_error')
      span.setStatus({
        code: SpanStatusCode.ERROR,
        message: describeFailure(message || 'the tool failed').message,
      })
    }
    span.end(at)
  }

  /** Says of a call that it waits for a person. */
  interrupt(id: unknown): void {
    this.#openCalls.get(id)?.span.setAttributes(INTERRUPTED)
  }

  /** Ends all open calls. */
  endAll(outcome: CallOutcome | undefined, at: number): void {
    for (const { span } of this.#openCalls.values()) {
      if (outcome) span.setAttributes(outcomeAttributes(outcome))
      span.end(at)
    }
    this.#openCalls.clear()
  }
}

import { type Context, createContextKey, type Span, SpanStatusCode } from '@opentelemetry/api'
import { GEN_AI, GENERAL } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { capturesContent } from '../gen-ai/configure.ts'
import { asName, type Fields } from '../gen-ai/read.ts'
import { describeFailure } from '../record/error.ts'
import { type Outcome, outcomeAttributes } from '../record/outcome.ts'
import { tracerOf } from '../record/tracer.ts'
import { requestContentAttributes, responseAttributes, write } from '../record/write.ts'
import { SCOPE } from './turn.ts'
import { errorTextOf, resultOf } from './words.ts'

/** More at once than any agent calls: what is beyond has no span. */
const LIMIT = 1_000

const KEY = createContextKey('svc.claude-agent.tools')

/** A context whose tools are those of one query. */
export function withToolCalls(context: Context, calls: ToolCalls): Context {
  return context.setValue(KEY, calls)
}

export function toolCallsIn(context: Context): ToolCalls | undefined {
  const calls = context.getValue(KEY)
  return calls instanceof ToolCalls ? calls : undefined
}

interface Open {
  readonly tool: string
  readonly span: Span
  readonly context: Context
}

/** The calls of tools that have no answer yet, by their ids. */
export class ToolCalls {
  readonly #open = new Map<unknown, Open>()

  /** @param context of the agent that calls it */
  begin({ id, name, input }: Fields, context: Context, at: number): void {
    if (this.#open.has(id) || this.#open.size >= LIMIT) return
    const tool = asName(name) ?? 'unknown'
    const attributes = {
      [GEN_AI.OPERATION_NAME]: 'execute_tool',
      [GEN_AI.TOOL_NAME]: tool,
      [GEN_AI.TOOL_CALL_ID]: asName(id) ?? '',
      ...(capturesContent() ? requestContentAttributes({ input: input ?? {} }) : {}),
    }
    const span = tracerOf(SCOPE).startSpan(`execute_tool ${tool}`, { attributes, startTime: at }, context)
    this.#open.set(id, { tool, span, context: withSpan(context, span) })
  }

  /** Where what a tool does belongs: a subagent is one. */
  contextOf(id: unknown): Context | undefined {
    return this.#open.get(id)?.context
  }

  /** The last call of a tool that the application offers: `mcp__places__weather` is its `weather`. */
  contextOfLast(name: string): Context | undefined {
    return [...this.#open.values()].findLast(({ tool }) => tool.endsWith(`__${name}`))?.context
  }

  /** A block with the answer of a tool. */
  end({ tool_use_id, content, is_error }: Fields, at: number): void {
    const { span } = this.#open.get(tool_use_id) ?? {}
    if (!span) return
    this.#open.delete(tool_use_id)
    write(span, responseAttributes({ result: resultOf(content) }))
    if (is_error === true) {
      const message = capturesContent() ? errorTextOf(content) : ''
      span.setAttribute(GENERAL.ERROR_TYPE, 'tool_error')
      span.setStatus({
        code: SpanStatusCode.ERROR,
        message: describeFailure(message || 'the tool failed').message,
      })
    }
    span.end(at)
  }

  /** Nobody answers any more. */
  endAll(outcome: Outcome | undefined, at: number): void {
    for (const { span } of this.#open.values()) {
      if (outcome) span.setAttributes(outcomeAttributes(outcome))
      span.end(at)
    }
    this.#open.clear()
  }
}

import { type Context, context, type Tracer } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI } from '@svc/core/attributes'
import { callTool } from '@svc/core/replayed-tool'
import { capturesContent } from '../gen-ai/configure.ts'
import type { RequestContent, ResponseContent } from '../gen-ai/content.ts'
import { isPromise, type Method } from '../gen-ai/read.ts'
import { CallSpan } from '../record/call.ts'
import { type ToolLoop, toolLoopKey } from '../record/run-key.ts'
import { requestContentAttributes, responseAttributes } from '../record/write.ts'
import { likeOriginal } from './replace-method.ts'
import { tapPromise } from './tap-promise.ts'

export interface ToolRunStart {
  /** Name of the tracer. */
  readonly scope: string
  readonly provider: string
  /** The SDK's name for its runner. */
  readonly name: string
  /** The tracer for the spans of the loop and its tools. Default: the global provider's. */
  readonly tracer?: Tracer | undefined
  /** Reads the content of the first request; called only if content is captured. */
  readContent(): RequestContent
}

export interface ToolCallInfo {
  readonly name: string
  readonly id?: string | undefined
  readonly input: unknown
}

/**
 * One run of a client's tool loop (`toolRunner` of the Anthropic SDK, `runTools` of the OpenAI SDK): an agent span with
 * the model and tool calls below it. The agent's input and output are the first request and the last response. Created
 * when the loop starts.
 */
export class ToolRun implements ToolLoop {
  readonly recording: boolean
  readonly #call: CallSpan
  readonly #scope: string
  readonly #tracer: Tracer | undefined
  /** The context of the agent span, marked with this loop: model calls in it report to {@link modelResponded}. */
  readonly #context: Context
  /** The last response of the model. */
  #response: Pick<ResponseContent, 'messages'> = {}

  constructor({ scope, provider, name, tracer, readContent }: ToolRunStart) {
    const attributes = { [GEN_AI.PROVIDER_NAME]: provider }
    this.#scope = scope
    this.#tracer = tracer
    this.#call = new CallSpan({ scope, tracer, operation: 'invoke_agent', name: `invoke_agent ${name}`, attributes })
    this.recording = this.#call.recording
    this.#context = this.#call.run(() => context.active()).setValue(toolLoopKey, this)
    if (!this.recording || !capturesContent()) return
    attempt('read the request of an agent', () => {
      // The tool definitions are on the spans of the model calls.
      const { tools: _, ...content } = readContent()
      this.#call.setRequest(undefined, requestContentAttributes(content))
    })
  }

  /** Calls `work`, a step of the loop, in the context of the loop. */
  within<R>(work: () => R): R {
    return context.with(this.#context, work)
  }

  /** Called with the response of each model call. */
  modelResponded({ messages }: ResponseContent): void {
    if (messages?.length) this.#response = { messages }
  }

  end(): void {
    this.#call.endWithResponse(this.#response)
  }

  fail(error: unknown, byCaller?: boolean): void {
    this.#call.fail(error, byCaller)
  }

  /**
   * Called when the application stops iterating over the loop. That is early unless the model has responded without
   * requesting another tool call.
   */
  readerLeft(): void {
    const { messages } = this.#response
    const isOver = messages?.every(({ parts }) => parts.every(({ type }) => type !== 'tool_call'))
    if (isOver) {
      this.end()
      return
    }
    if (messages) this.#call.setRequest(undefined, responseAttributes({ messages }))
    this.#call.end('stopped early')
  }

  /** Returns a function that executes a tool, and records each execution as a span. */
  tool(original: Method, describeCall: (args: readonly unknown[]) => ToolCallInfo): Method {
    const run = this
    const wrapped: Method = function (...args) {
      const call = attempt('begin the span of a tool', () => run.#startToolCall(describeCall(args)))
      if (!call) return original.apply(this, args)
      try {
        const result = call.run(() => callTool(true, () => original.apply(this, args)))
        if (!isPromise(result)) call.endWithResponse({ result })
        return tapPromise(result, {
          value: (settled) => call.endWithResponse({ result: settled }),
          error: (e) => call.fail(e),
        })
      } catch (error) {
        call.fail(error)
        throw error
      }
    }
    return likeOriginal(wrapped, original)
  }

  #startToolCall({ name, id, input }: ToolCallInfo): CallSpan {
    const attributes = id === undefined ? {} : { [GEN_AI.TOOL_CALL_ID]: id }
    // The application may run its tools itself, between turns of the loop.
    const parent = context.active().getValue(toolLoopKey) === this ? context.active() : this.#context
    const start = { scope: this.#scope, tracer: this.#tracer, operation: 'execute_tool', tool: name, attributes }
    const call = context.with(parent.deleteValue(toolLoopKey), () => new CallSpan(start))
    if (call.recording && capturesContent()) {
      attempt('read the input of a tool', () => call.setRequest(undefined, requestContentAttributes({ input })))
    }
    return call
  }
}

/**
 * Returns a copy of an object with one field replaced, including hidden fields and symbols; undefined if the object is
 * not a plain one.
 */
export function copyWith(object: object, name: string, value: unknown): object | undefined {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const fields = Object.getOwnPropertyDescriptors(object) as PropertyDescriptorMap
  return Object.create(prototype, { ...fields, [name]: { ...fields[name], value } })
}

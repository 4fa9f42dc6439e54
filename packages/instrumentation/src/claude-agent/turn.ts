import { type Context, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI, GENERAL } from '@svc/core/attributes'
import { messages } from '../anthropic/messages.ts'
import { capturesContent } from '../gen-ai/configure.ts'
import type { RequestContent } from '../gen-ai/content.ts'
import { asArray, asName, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { describeFailure } from '../record/error.ts'
import { getTracer } from '../record/tracer.ts'
import { requestContentAttributes, responseAttributes } from '../record/write.ts'
import { readErrorText } from './content.ts'
import type { CostShare, CountedCall } from './costs.ts'

export const SCOPE = '@svc/instrumentation-claude-agent'
export const PROVIDER = { [GEN_AI.PROVIDER_NAME]: 'anthropic' }

/** The model name in messages of Claude Code itself. */
const SYNTHETIC = '<synthetic>'

export interface ModelTurnStart {
  readonly id: unknown
  readonly model: string | undefined
  readonly context: Context
  /** When the model call started. */
  readonly startTime: number
  /** Content since the last turn. */
  readonly content: RequestContent
}

/** One model call. Its response arrives in several messages, of one block each. */
export class ModelTurn {
  readonly id: unknown
  readonly #span: Span
  readonly #model: string | undefined
  #content: unknown[] | undefined = []
  #usage: Fields = {}
  #stop: unknown
  #size = 0
  #hasOutput = false
  #lastActivity: number

  constructor({ id, model, context, startTime, content }: ModelTurnStart) {
    this.id = id
    this.#model = model
    this.#lastActivity = startTime
    this.#span = startModelSpan(model, context, startTime)
    if (capturesContent()) this.#span.setAttributes(requestContentAttributes(content))
  }

  /** Called with a message of the model. */
  onMessage({ message, error }: Fields, at: number): void {
    const { content, usage, stop_reason } = asRecord(message)
    this.#lastActivity = at
    this.#addUsage(usage, stop_reason)
    const blocks = asArray(content)
    this.#content?.push(...blocks)
    this.#size += JSON.stringify(blocks).length
    if (error) this.#recordError(asName(error) ?? 'unknown', readErrorText(content))
  }

  /** Called with a stream event, if the application enabled them. */
  onStreamEvent({ type, message, delta, usage }: Fields, at: number): void {
    this.#lastActivity = at
    if (type === 'message_start') this.#addUsage(asRecord(message).usage, undefined)
    else if (type === 'content_block_delta') this.#markFirstOutput()
    else if (type === 'message_delta') this.#addUsage(usage, asRecord(delta).stop_reason)
  }

  /** Writes the response and drops its content. */
  close(): void {
    if (!this.#content) return
    const { usage: _, ...response } = this.#readResponse()
    this.#content = undefined
    this.#span.setAttributes(responseAttributes(response))
  }

  get modelCall(): CountedCall {
    const { usage } = this.#readResponse()
    return { model: this.#model, usage, isFinal: Boolean(this.#stop), size: this.#size }
  }

  /** @param share the output and cost from the result */
  end({ output, cost }: CostShare = {}): void {
    this.close()
    const { usage } = this.#readResponse()
    const counted = usage && this.#model ? { ...usage, output: output ?? usage.output } : undefined
    this.#span.setAttributes(responseAttributes(defined({ model: this.#model, usage: counted })))
    if (cost !== undefined) this.#span.setAttributes(costAttributes(cost))
    this.#span.end(this.#lastActivity)
  }

  #addUsage(usage: unknown, stop: unknown): void {
    // The usage at the end has the output; older versions repeat all counts.
    this.#usage = { ...this.#usage, ...withoutNulls(asRecord(usage)) }
    this.#stop = stop ?? this.#stop
  }

  #markFirstOutput(): void {
    if (this.#hasOutput) return
    this.#hasOutput = true
    this.#span.setAttribute(ATTRIBUTE.OBSERVATION_COMPLETION_START_TIME, JSON.stringify(new Date()))
  }

  #readResponse() {
    const { id } = this
    return messages.readResponse({
      id,
      model: this.#model,
      content: this.#content,
      stop_reason: this.#stop,
      usage: Object.keys(this.#usage).length > 0 ? this.#usage : undefined,
    })
  }

  #recordError(type: string, text: string): void {
    this.#span.setAttribute(GENERAL.ERROR_TYPE, type)
    const message = capturesContent() ? describeFailure(text || type).message : type
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message })
  }
}

export function startModelSpan(model: string | undefined, context: Context, startTime: number): Span {
  const attributes = { [GEN_AI.OPERATION_NAME]: 'chat', ...PROVIDER, ...defined({ [GEN_AI.REQUEST_MODEL]: model }) }
  const options = { kind: SpanKind.CLIENT, attributes, startTime }
  return getTracer(SCOPE).startSpan(model === undefined ? 'chat' : `chat ${model}`, options, context)
}

export function costAttributes(total: number) {
  return { [ATTRIBUTE.OBSERVATION_COST_DETAILS]: JSON.stringify({ total }) }
}

/** Returns the model of a message; undefined for messages of Claude Code itself. */
export function readModel({ model }: Fields): string | undefined {
  return model === SYNTHETIC ? undefined : asName(model)
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

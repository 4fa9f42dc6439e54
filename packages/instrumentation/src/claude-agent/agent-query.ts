import { type Context, context, type Span, SpanStatusCode } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI, GENERAL } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { type MissingEnd, type OpenCall, track, untrack } from '@svc/core/open-calls'
import { toMessage } from '../anthropic/blocks.ts'
import { capturesContent } from '../gen-ai/configure.ts'
import type { Message } from '../gen-ai/content.ts'
import { textPart, toolCallPart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, defined, type Fields } from '../gen-ai/read.ts'
import { isAborted } from '../patch/iterator-observer.ts'
import { describeFailure } from '../record/error.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { type CallOutcome, outcomeAttributes } from '../record/outcome.ts'
import { getTracer } from '../record/tracer.ts'
import { requestContentAttributes, responseAttributes, write } from '../record/write.ts'
import { readInstructions, toUserMessage } from './content.ts'
import { RunningTotals } from './running-totals.ts'
import { AgentThread, readBlocks } from './thread.ts'
import { ToolCalls, withToolCalls } from './tools.ts'
import { costAttributes, type ModelTurn, PROVIDER, SCOPE, startModelSpan } from './turn.ts'

/** Most turns that wait for their cost in a result. Older ones end without. */
const TURN_LIMIT = 128
/** Most messages of the user in the input of one agent. */
const INPUT_LIMIT = 128
const THREAD_LIMIT = 1_000

/** The spans of one query: an agent, its turns, tools and subagents. */
export class AgentQuery implements OpenCall {
  readonly recording: boolean
  readonly context: Context
  readonly #signal: unknown
  #span: Span | undefined
  readonly #startTime = Date.now()
  /** When the application read the last message. */
  #lastReadAt = this.#startTime
  readonly #tools = new ToolCalls()
  readonly #main: AgentThread
  readonly #threads = new Map<unknown, AgentThread>()
  readonly #inputMessages: Message[] = []
  #turns: ModelTurn[] = []
  #model: string | undefined
  readonly #spent: RunningTotals
  #interrupted = false
  #result: Fields | undefined
  /** Claude Code's name for the model error that ended the last turn. */
  #modelError: string | undefined
  /** Whether the user's last turn has a result. */
  #hasResult = false

  constructor(options: Fields) {
    const attributes = {
      [GEN_AI.OPERATION_NAME]: 'invoke_agent',
      ...PROVIDER,
      ...defined({ [GEN_AI.AGENT_NAME]: asName(options.agent) }),
    }
    const name = ['invoke_agent', ...(asName(options.agent)?.split('\n', 1) ?? [])].join(' ')
    const parent = context.active()
    this.#span = getTracer(SCOPE).startSpan(name, { attributes }, parent)
    this.recording = this.#span.isRecording()
    this.context = withToolCalls(withSpan(parent, this.#span), this.#tools)
    this.#signal = asRecord(options.abortController).signal
    this.#model = asName(options.model)
    this.#spent = new RunningTotals(options)
    this.#main = new AgentThread(this.context, this.#lastReadAt, capturesContent() ? readInstructions(options) : [])
    if (this.recording) track(this)
  }

  /** Called with a message of the user. */
  addInput(content: unknown): void {
    if (!capturesContent()) return
    const message = toUserMessage(content)
    if (this.#inputMessages.length < INPUT_LIMIT) this.#inputMessages.push(message)
    this.#main.addMessage(message)
  }

  /** Called with each message that the application reads. */
  onMessage(message: Fields): void {
    if (!this.#span) return
    // One millisecond later at least, the service's resolution: messages may be read at once.
    this.#lastReadAt = Math.max(Date.now(), message.type === 'stream_event' ? this.#lastReadAt : this.#lastReadAt + 1)
    if (message.type === 'system') this.#onSystemMessage(message)
    else if (message.type === 'assistant') this.#onAssistantMessage(message)
    else if (message.type === 'stream_event')
      this.#getThread(message).onStreamEvent(asRecord(message.event), this.#lastReadAt, this.#model, this.#addTurn)
    else if (message.type === 'user') this.#onUserMessage(message)
    else if (message.type === 'result') this.#onResult(message)
    else if (message.type === 'conversation_reset') this.#spent.reset()
  }

  /** @param byCaller whether the application cancelled the query */
  fail(error: unknown, byCaller = isAborted(this.#signal)): void {
    if (byCaller) this.end('cancelled')
    const span = this.#span
    if (!span) return
    const { message, attributes } = describeFailure(error)
    // The SDK is minified: its class names are lost.
    const existing = String(attributes[GENERAL.ERROR_TYPE])
    const name = /Error$/.test(existing) ? existing : 'Error'
    span.setAttributes({ ...attributes, [GENERAL.ERROR_TYPE]: name })
    span.recordException({ name, message })
    this.#close(span, undefined, message)
  }

  /** Called after the last message. */
  end(outcome?: CallOutcome): void {
    const span = this.#span
    if (!span) return
    // Many applications leave their loop with the result: the query is complete then.
    if (this.#hasResult) this.#close(span, undefined)
    else if (isAborted(this.#signal) && outcome !== 'unfinished') this.#close(span, 'cancelled')
    else this.#close(span, outcome)
  }

  /** Called when the application interrupts the agent; it may continue with another message. */
  interrupt(): void {
    this.#interrupted = true
  }

  endWithout(missing: MissingEnd): void {
    this.end(missing)
  }

  #onSystemMessage({
    subtype,
    session_id,
    model,
    tools,
    mcp_servers,
    permissionMode,
    claude_code_version,
  }: Fields): void {
    if (subtype !== 'init') return
    this.#model = asName(model) ?? this.#model
    this.#hasResult = false
    // Until now the process was starting.
    this.#main.turnStart = this.#lastReadAt
    this.#span?.setAttributes({
      ...defined({ [GEN_AI.CONVERSATION_ID]: asName(session_id), [GEN_AI.REQUEST_MODEL]: this.#model }),
      ...metadataAttributes({ tools, mcp_servers, permission_mode: permissionMode, claude_code_version }),
    })
  }

  #onAssistantMessage(message: Fields): void {
    const thread = this.#getThread(message)
    const apiMessage = asRecord(message.message)
    // Messages of Claude Code itself, without a model call.
    if (apiMessage.model === '<synthetic>' && !message.error) return
    this.#modelError = asName(message.error)
    thread.getTurn(apiMessage, this.#model, this.#addTurn).onMessage(message, this.#lastReadAt)
    for (const block of readBlocks(apiMessage, 'tool_use')) this.#tools.start(block, thread.context, this.#lastReadAt)
  }

  #onUserMessage(message: Fields): void {
    // The application's own messages, if it asked to have them replayed.
    if (message.isReplay) return
    const thread = this.#getThread(message)
    const apiMessage = asRecord(message.message)
    if (capturesContent()) thread.addMessage(toMessage(apiMessage))
    thread.turnStart = this.#lastReadAt
    for (const block of readBlocks(apiMessage, 'tool_result')) {
      this.#tools.end(block, this.#lastReadAt)
      this.#threads.delete(block.tool_use_id)
    }
  }

  #getThread({ parent_tool_use_id: id }: Fields): AgentThread {
    if (!id) return this.#main
    const existing = this.#threads.get(id)
    if (existing) return existing
    const thread = new AgentThread(this.#tools.contextOf(id) ?? this.context, this.#lastReadAt)
    if (this.#threads.size < THREAD_LIMIT) this.#threads.set(id, thread)
    return thread
  }

  readonly #addTurn = (turn: ModelTurn): void => {
    this.#turns.push(turn)
    if (this.#turns.length > TURN_LIMIT) this.#turns.shift()?.end()
  }

  /** Assigns the cost in a result to the turns since the last one. */
  #onResult(result: Fields): void {
    this.#result = { ...result, interrupted: this.#interrupted }
    this.#hasResult = true
    this.#interrupted = false
    const calls = this.#turns.map(({ modelCall }) => modelCall)
    const { shares, unreported } = this.#spent.share(result, calls)
    for (const [at, turn] of this.#turns.splice(0).entries()) turn.end(shares[at])
    for (const { model, usage, cost } of unreported) {
      const span = startModelSpan(model, this.context, this.#startTime)
      span.setAttributes({ ...responseAttributes({ model, usage }), ...metadataAttributes({ calls: 'untold' }) })
      if (cost !== undefined) span.setAttributes(costAttributes(cost))
      span.end(this.#lastReadAt)
    }
  }

  #close(span: Span, outcome: CallOutcome | undefined, error?: string): void {
    this.#span = undefined
    untrack(this)
    attempt('end a query', () => {
      for (const turn of this.#turns.splice(0)) turn.end()
      this.#tools.interrupt(asRecord(this.#result?.deferred_tool_use).id)
      this.#tools.endAll(outcome, this.#lastReadAt)
      this.#describe(span)
    })
    if (outcome) span.setAttributes(outcomeAttributes(outcome))
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    span.end(outcome === 'abandoned' ? this.#lastReadAt : Math.max(Date.now(), this.#lastReadAt))
  }

  #describe(span: Span): void {
    if (capturesContent()) write(span, requestContentAttributes({ messages: this.#inputMessages }))
    const { subtype, is_error, result, structured_output, errors, num_turns, permission_denials, interrupted } =
      this.#result ?? {}
    const { deferred_tool_use: deferred } = this.#result ?? {}
    const apiMessage = asString(result) || (structured_output === undefined ? '' : JSON.stringify(structured_output))
    const { id, name, input } = asRecord(deferred)
    // A call that a hook has left to a person: the session goes on with it when it is resumed.
    const parts = [...(apiMessage ? [textPart(apiMessage)] : []), ...(deferred ? [toolCallPart(id, name, input)] : [])]
    if (parts.length > 0)
      write(span, responseAttributes({ messages: [{ role: 'assistant', parts }], isInterrupted: Boolean(deferred) }))
    const denied = asArray(permission_denials).map((each) => asRecord(each).tool_name)
    span.setAttributes(
      metadataAttributes({
        turns: num_turns,
        total_cost_usd: this.#spent.cost || undefined,
        denied: denied.length > 0 ? denied : undefined,
      }),
    )
    if (!this.#result || (subtype === 'success' && is_error !== true)) return
    if (interrupted) {
      span.setAttributes(outcomeAttributes('cancelled'))
      return
    }
    const type = (subtype === 'success' ? this.#modelError : asName(subtype)) ?? 'error'
    const message = capturesContent()
      ? [...asArray(errors), apiMessage].flatMap((text) => asName(text) || []).join('\n')
      : ''
    span.setAttribute(GENERAL.ERROR_TYPE, type)
    span.setStatus({ code: SpanStatusCode.ERROR, message: describeFailure(message || type).message })
  }
}

import { type Context, context, type Span, SpanStatusCode } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE, GEN_AI, GENERAL } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { toMetadataText } from '@svc/core/json'
import { type OpenCall, track, untrack } from '@svc/core/open-calls'
import { messageOf } from '../anthropic/blocks.ts'
import { capturesContent } from '../gen-ai/configure.ts'
import type { Message } from '../gen-ai/content.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asArray, asName, asNumber, asRecord, asString, defined, type Fields } from '../gen-ai/read.ts'
import { isAborted } from '../patch/iterator-observer.ts'
import { describeFailure } from '../record/error.ts'
import { type Outcome, outcomeAttributes } from '../record/outcome.ts'
import { tracerOf } from '../record/tracer.ts'
import { requestContentAttributes, responseAttributes, write } from '../record/write.ts'
import { type Spent, shared, sharedCost, spentIn, spentSince } from './costs.ts'
import { blocksOf, Thread } from './thread.ts'
import { ToolCalls, withToolCalls } from './tools.ts'
import { costAttributes, PROVIDER, SCOPE, startModelSpan, type Turn } from './turn.ts'
import { instructionsIn, userMessage } from './words.ts'

/** Turns that wait for a result to tell their costs. Those before end without. */
const TURN_LIMIT = 128
/** Messages of the user that one agent's input holds. */
const QUESTION_LIMIT = 128
const THREAD_LIMIT = 1_000

const { OBSERVATION_METADATA } = ATTRIBUTE

/** One query: an agent, its turns, the tools it calls, and the agents below it. */
export class Run implements OpenCall {
  readonly recording: boolean
  readonly context: Context
  readonly #signal: unknown
  #span: Span | undefined
  readonly #began = Date.now()
  /** When the application read what it read last. */
  #now = this.#began
  readonly #tools = new ToolCalls()
  readonly #main: Thread
  readonly #threads = new Map<unknown, Thread>()
  readonly #questions: Message[] = []
  #turns: Turn[] = []
  #model: string | undefined
  #spent: Spent = {}
  #cost = 0
  #interrupted = false
  #result: Fields | undefined
  /** What Claude Code calls the error of a model that ended the last turn. */
  #modelError: string | undefined
  /** Whether the last turn of the user has its result. */
  #answered = false

  constructor(options: Fields) {
    const attributes = {
      [GEN_AI.OPERATION_NAME]: 'invoke_agent',
      ...PROVIDER,
      ...defined({ [GEN_AI.AGENT_NAME]: asName(options.agent) }),
    }
    const name = ['invoke_agent', ...(asName(options.agent)?.split('\n', 1) ?? [])].join(' ')
    const parent = context.active()
    this.#span = tracerOf(SCOPE).startSpan(name, { attributes }, parent)
    this.recording = this.#span.isRecording()
    this.context = withToolCalls(withSpan(parent, this.#span), this.#tools)
    this.#signal = asRecord(options.abortController).signal
    this.#model = asName(options.model)
    this.#main = new Thread(this.context, this.#now, capturesContent() ? instructionsIn(options) : [])
    if (this.recording) track(this)
  }

  /** Says something to the agent. */
  ask(content: unknown): void {
    if (!capturesContent()) return
    const message = userMessage(content)
    if (this.#questions.length < QUESTION_LIMIT) this.#questions.push(message)
    this.#main.tell(message)
  }

  /** What the application reads. */
  hear(message: Fields): void {
    if (!this.#span) return
    // A thousandth at least, which is as much as the service can tell apart: messages may be read at once.
    this.#now = Math.max(Date.now(), message.type === 'stream_event' ? this.#now : this.#now + 1)
    if (message.type === 'system') this.#hearSystem(message)
    else if (message.type === 'assistant') this.#hearModel(message)
    else if (message.type === 'stream_event')
      this.#threadOf(message).hearEvent(asRecord(message.event), this.#now, this.#model, this.#keep)
    else if (message.type === 'user') this.#hearAnswers(message)
    else if (message.type === 'result') this.#settle(message)
  }

  /** @param byCaller whether the application itself gave up */
  fail(error: unknown, byCaller = isAborted(this.#signal)): void {
    if (byCaller) this.end('cancelled')
    const span = this.#span
    if (!span) return
    const { message, attributes } = describeFailure(error)
    // The classes of the SDK have lost their names.
    const known = String(attributes[GENERAL.ERROR_TYPE])
    const name = /Error$/.test(known) ? known : 'Error'
    span.setAttributes({ ...attributes, [GENERAL.ERROR_TYPE]: name })
    span.recordException({ name, message })
    this.#close(span, undefined, message)
  }

  /** There are no more messages. */
  end(outcome?: Outcome): void {
    const span = this.#span
    if (!span) return
    // Many leave their loop with the result: that is all of it.
    if (this.#answered) this.#close(span, undefined)
    else if (isAborted(this.#signal) && outcome !== 'unfinished') this.#close(span, 'cancelled')
    else this.#close(span, outcome)
  }

  /** The application asked the agent to stop, and may ask something else then. */
  interrupt(): void {
    this.#interrupted = true
  }

  endUnread(): void {
    this.end('abandoned')
  }

  endAtExit(): void {
    this.end('unfinished')
  }

  #hearSystem({ subtype, session_id, model, tools, mcp_servers, permissionMode, claude_code_version }: Fields): void {
    if (subtype !== 'init') return
    this.#model = asName(model) ?? this.#model
    this.#answered = false
    // Until then the process was starting.
    this.#main.since = this.#now
    this.#span?.setAttributes({
      ...defined({ [GEN_AI.CONVERSATION_ID]: asName(session_id), [GEN_AI.REQUEST_MODEL]: this.#model }),
      ...metadata({ tools, mcp_servers, permission_mode: permissionMode, claude_code_version }),
    })
  }

  #hearModel(message: Fields): void {
    const thread = this.#threadOf(message)
    const said = asRecord(message.message)
    // Claude Code speaks itself where no model was asked.
    if (said.model === '<synthetic>' && !message.error) return
    this.#modelError = asName(message.error)
    thread.turnOf(said, this.#model, this.#keep).hear(message, this.#now)
    for (const block of blocksOf(said, 'tool_use')) this.#tools.begin(block, thread.context, this.#now)
  }

  #hearAnswers(message: Fields): void {
    // What the application said comes back where it asked for that.
    if (message.isReplay) return
    const thread = this.#threadOf(message)
    const said = asRecord(message.message)
    if (capturesContent()) thread.tell(messageOf(said))
    thread.since = this.#now
    for (const block of blocksOf(said, 'tool_result')) {
      this.#tools.end(block, this.#now)
      this.#threads.delete(block.tool_use_id)
    }
  }

  #threadOf({ parent_tool_use_id: id }: Fields): Thread {
    if (!id) return this.#main
    const known = this.#threads.get(id)
    if (known) return known
    const thread = new Thread(this.#tools.contextOf(id) ?? this.context, this.#now)
    if (this.#threads.size < THREAD_LIMIT) this.#threads.set(id, thread)
    return thread
  }

  readonly #keep = (turn: Turn): void => {
    this.#turns.push(turn)
    if (this.#turns.length > TURN_LIMIT) this.#turns.shift()?.end()
  }

  /** A result tells what all turns since the last one have cost. */
  #settle(result: Fields): void {
    this.#result = { ...result, interrupted: this.#interrupted }
    this.#answered = true
    this.#interrupted = false
    const total = asNumber(result.total_cost_usd) ?? 0
    const now = spentIn(result)
    const spent = spentSince(this.#spent, now)
    const calls = this.#turns.map(({ counted }) => counted)
    const { shares, untold } =
      Object.keys(now).length > 0 ? shared(calls, spent) : { shares: sharedCost(calls, total - this.#cost), untold: [] }
    for (const [at, turn] of this.#turns.splice(0).entries()) turn.end(shares[at])
    for (const { model, usage, cost } of untold) {
      const span = startModelSpan(model, this.context, this.#began)
      span.setAttributes({ ...responseAttributes({ model, usage }), ...metadata({ calls: 'untold' }) })
      if (cost !== undefined) span.setAttributes(costAttributes(cost))
      span.end(this.#now)
    }
    this.#spent = { ...this.#spent, ...now }
    this.#cost = total
  }

  #close(span: Span, outcome: Outcome | undefined, error?: string): void {
    this.#span = undefined
    untrack(this)
    attempt('end a query', () => {
      for (const turn of this.#turns.splice(0)) turn.end()
      this.#tools.endAll(outcome, this.#now)
      this.#describe(span)
    })
    if (outcome) span.setAttributes(outcomeAttributes(outcome))
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    span.end(outcome === 'abandoned' ? this.#now : Math.max(Date.now(), this.#now))
  }

  #describe(span: Span): void {
    if (capturesContent()) write(span, requestContentAttributes({ messages: this.#questions }))
    const { subtype, is_error, result, structured_output, errors, num_turns, permission_denials, interrupted } =
      this.#result ?? {}
    const said = asString(result) || (structured_output === undefined ? '' : JSON.stringify(structured_output))
    if (said) write(span, responseAttributes({ messages: [{ role: 'assistant', parts: [textPart(said)] }] }))
    const denied = asArray(permission_denials).map((each) => asRecord(each).tool_name)
    span.setAttributes(
      metadata({
        turns: num_turns,
        total_cost_usd: this.#cost || undefined,
        denied: denied.length > 0 ? denied : undefined,
      }),
    )
    if (!this.#result || (subtype === 'success' && is_error !== true)) return
    if (interrupted) {
      span.setAttributes(outcomeAttributes('cancelled'))
      return
    }
    const type = (subtype === 'success' ? this.#modelError : asName(subtype)) ?? 'error'
    const message = capturesContent() ? [...asArray(errors), said].flatMap((text) => asName(text) || []).join('\n') : ''
    span.setAttribute(GENERAL.ERROR_TYPE, type)
    span.setStatus({ code: SpanStatusCode.ERROR, message: describeFailure(message || type).message })
  }
}

function metadata(fields: Fields): Record<string, string> {
  const entries = Object.entries(fields).map(([key, value]) => [
    `${OBSERVATION_METADATA}.${key}`,
    toMetadataText(value),
  ])
  return defined(Object.fromEntries(entries) as Record<string, string | undefined>)
}

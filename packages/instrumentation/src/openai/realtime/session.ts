import { context } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { toMetadataText } from '@svc/core/json'
import type { MissingEnd } from '@svc/core/span-life'
import { capturesContent } from '../../gen-ai/configure.ts'
import { asName, asNumber, asRecord, defined, type Fields } from '../../gen-ai/read.ts'
import { serverAttributes } from '../../gen-ai/server.ts'
import type { Call } from '../../record/call.ts'
import { DescribedCall } from '../../record/described-call.ts'
import { describeFailure } from '../../record/error.ts'
import { requestContentAttributes, responseAttributes } from '../../record/write.ts'
import { Exchange } from './exchange.ts'

/** Ways to close that are no errors: done, going away, and without a code. */
const GOOD: readonly number[] = [1000, 1001, 1005]
/** The connection was lost, or was never made. */
const LOST = 1006

export interface SessionStart {
  /** Name of the tracer. */
  readonly scope: string
  /** Whom it connects to. */
  readonly url: URL | undefined
  readonly model?: string | undefined
  /** The agent that speaks first, where it has a name. */
  readonly agent?: string | undefined
}

/** A session over a WebSocket: an agent, with the responses of the model and the tools of the application below it. */
export class Session {
  readonly #call: DescribedCall
  readonly #context
  #exchange: Exchange
  #connectionError: unknown
  #isClosing = false

  constructor({ scope, url, model = modelIn(url), agent }: SessionStart) {
    const server = serverAttributes({}, 'openai', url && `https://${url.host}`)
    const parent = context.active()
    const start = { scope, operation: 'invoke_agent', name: `invoke_agent ${agent ?? 'realtime'}`, model }
    const attributes = { ...server, ...defined({ [GEN_AI.AGENT_NAME]: agent }) }
    this.#call = new DescribedCall({ ...start, attributes, context: parent }, (call, missing) =>
      this.#describe(call, missing),
    )
    this.#context = this.#call.run(() => context.active())
    this.#exchange = new Exchange({ scope, context: this.#context, model, attributes: server })
  }

  get recording(): boolean {
    return this.#call.recording
  }

  endWithReader(reader: object): void {
    this.#call.endWithReader(reader)
  }

  /** Does work of the application that an event of this session causes. */
  run<T>(work: () => T): T {
    return context.with(this.#context, work)
  }

  /** The application sends an event. */
  send(event: Fields): void {
    if (!this.#call.ended) this.#exchange.send(event)
  }

  /**
   * The server sends an event.
   *
   * @param agent that speaks now, where it has a name
   */
  receive(event: Fields, agent?: string): void {
    if (this.#call.ended) return
    this.#call.touch()
    this.#exchange.agent = agent
    if (event.type === 'session.created') {
      const id = asName(asRecord(event.session).id)
      this.#call.setRequest(undefined, defined({ [GEN_AI.CONVERSATION_ID]: id }))
    }
    this.#exchange.receive(event)
  }

  /** The connection has an error; how it closes then tells what that meant. */
  connectionFailed(error: unknown): void {
    this.#connectionError = error
  }

  /** The connection is lost, and the client makes another. */
  interrupted(): void {
    const lost = this.#closedError({ code: LOST })
    this.#exchange.end(({ call }) => call.fail(lost, false))
    this.#connectionError = undefined
  }

  /** The application closes the session. */
  closing(): void {
    this.#isClosing = true
  }

  closed(event: Fields): void {
    if (this.#call.ended) return
    const code = asNumber(event.code) ?? (this.#connectionError === undefined ? 1000 : LOST)
    if (this.#isClosing || GOOD.includes(code)) {
      this.#exchange.end(({ call }) => call.end('stopped early'))
      this.#call.end()
      return
    }
    const error = this.#closedError({ code, reason: event.reason })
    this.#exchange.end(({ call }) => call.fail(error, false))
    this.#call.fail(error, false)
  }

  #closedError({ code, reason }: Fields): unknown {
    const known = code === LOST ? this.#connectionError : undefined
    if (known instanceof Error) return known
    const why = known ?? reason
    const error = new Error(`the connection closed with ${code}${why ? `: ${why}` : ''}`)
    error.name = 'ConnectionClosed'
    return error
  }

  /** @param missing how the session ended, where nobody ended it */
  #describe(call: Call, missing: MissingEnd | undefined): void {
    const exchange = this.#exchange
    exchange.end(({ call: open }) => open.end(missing))
    const { questions, lastAnswer, errors } = exchange
    this.#exchange = new Exchange({ scope: '', context: this.#context, model: undefined, attributes: {} })
    if (capturesContent()) call.setRequest(undefined, requestContentAttributes({ messages: questions.messages }))
    if (lastAnswer) call.setRequest(undefined, responseAttributes({ messages: lastAnswer }))
    const last = errors.at(-1)
    if (!last) return
    call.setRequest(undefined, {
      [`${ATTRIBUTE.OBSERVATION_METADATA}.errors`]: toMetadataText(errors),
      [ATTRIBUTE.OBSERVATION_LEVEL]: 'WARNING',
      [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: describeFailure(last.message ?? last.code).message,
    })
  }
}

function modelIn(url: URL | undefined): string | undefined {
  return asName(url?.searchParams.get('model') ?? url?.searchParams.get('deployment') ?? undefined)
}

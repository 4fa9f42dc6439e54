import { type Attributes, type Context, context } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI, GENERAL } from '@svc/core/attributes'
import { foreignText } from '@svc/core/foreign-text'
import { toMetadataText } from '@svc/core/json'
import type { MissingEnd } from '@svc/core/span-life'
import { capturesContent } from '../gen-ai/configure.ts'
import type { Message } from '../gen-ai/content.ts'
import { asNumber, defined, type Fields } from '../gen-ai/read.ts'
import type { CallSpan } from '../record/call.ts'
import { DescribedCall } from '../record/described-call.ts'
import { describeFailure } from '../record/error.ts'
import { requestContentAttributes, responseAttributes } from '../record/write.ts'
import { sessionRecorded } from './recorded-hosts.ts'

/** Close codes that are not errors: normal, going away, and no code. */
const NORMAL_CLOSE_CODES: readonly number[] = [1000, 1001, 1005]
/** The connection was lost or never established (RFC 6455). */
const ABNORMAL_CLOSURE = 1006

/** Interprets the events of one session of a vendor's API. */
export interface SessionProtocol {
  /** The vendor's id of the session, once known. */
  readonly id?: string | undefined
  /** All messages of the user. */
  readonly inputMessages: readonly Message[]
  /** The last output of the model. */
  readonly lastOutput: readonly Message[] | undefined
  /** Errors after which the session went on. */
  readonly errors: readonly Fields[]
  /** The application sends an event. */
  send(event: Fields): void
  /** The server sends an event. */
  receive(event: Fields): void
  /** Ends what is open and drops all state. */
  end(close: (open: CallSpan) => void): void
}

export interface SessionSpanStart {
  /** Name of the tracer. */
  readonly scope: string
  /** The vendor's name for its sessions. */
  readonly name: string
  readonly model: string | undefined
  /** Attributes of the provider and the server. */
  readonly attributes: Attributes
  /** @param context the parent context of the session's responses and tools */
  createProtocol(context: Context): SessionProtocol
  /** Returns strings to remove from error messages. */
  readonly secrets?: (() => readonly string[]) | undefined
}

/**
 * The span of a session over a WebSocket: an agent, with the model's responses and the application's tools below it.
 */
export class SessionSpan {
  readonly #call: DescribedCall
  readonly #context: Context
  #protocol: SessionProtocol | undefined
  #id: string | undefined
  #connectionError: unknown
  #isClosing = false

  constructor({ scope, name, model, attributes, createProtocol, secrets = () => [] }: SessionSpanStart) {
    const parent = context.active()
    sessionRecorded(attributes[GENERAL.SERVER_ADDRESS])
    this.#call = new DescribedCall(
      {
        scope,
        operation: 'invoke_agent',
        name: `invoke_agent ${name}`,
        model,
        attributes: { ...attributes },
        context: parent,
        secrets,
      },
      (call, missing) => this.#describe(call, missing),
    )
    this.#context = this.#call.run(() => context.active())
    this.#protocol = createProtocol(this.#context)
  }

  get recording(): boolean {
    return this.#call.recording
  }

  endWithReader(reader: object): void {
    this.#call.endWithReader(reader)
  }

  /** Calls application code that handles an event of this session. */
  run<T>(work: () => T): T {
    return context.with(this.#context, work)
  }

  /** The application sends an event. */
  send(event: Fields): void {
    this.#protocol?.send(event)
  }

  /** The server sends an event. */
  receive(event: Fields): void {
    const protocol = this.#protocol
    if (!protocol) return
    this.#call.touch()
    protocol.receive(event)
    if (protocol.id === this.#id) return
    this.#id = protocol.id
    this.#call.setRequest(undefined, defined({ [GEN_AI.CONVERSATION_ID]: this.#id }))
  }

  /** Called on a connection error; the close code then decides whether the session failed. */
  connectionFailed(error: unknown): void {
    this.#connectionError = error
  }

  /** Called when the connection is lost and the client reconnects. */
  connectionLost(): void {
    const lost = this.#createCloseError({ code: ABNORMAL_CLOSURE })
    this.#protocol?.end((open) => open.fail(lost, false))
    this.#connectionError = undefined
  }

  /** Called when the application closes the session. */
  closeRequested(): void {
    this.#isClosing = true
  }

  closed(event: Fields): void {
    const code = asNumber(event.code) ?? (this.#connectionError === undefined ? 1000 : ABNORMAL_CLOSURE)
    if (!this.#isClosing && !NORMAL_CLOSE_CODES.includes(code)) {
      this.fail(this.#createCloseError({ code, reason: event.reason }))
      return
    }
    this.#protocol?.end((open) => open.end('stopped early'))
    this.#call.end()
  }

  fail(error: unknown): void {
    this.#protocol?.end((open) => open.fail(error, false))
    this.#call.fail(error, false)
  }

  #createCloseError({ code, reason }: Fields): unknown {
    const connectionError = code === ABNORMAL_CLOSURE ? this.#connectionError : undefined
    if (connectionError instanceof Error) return connectionError
    const why = connectionError ?? reason
    const error = new Error(`the connection closed with ${code}${why ? `: ${foreignText(why)}` : ''}`)
    error.name = 'ConnectionClosed'
    return error
  }

  /** @param missing why the session ended, if neither side ended it */
  #describe(call: CallSpan, missing: MissingEnd | undefined): void {
    const protocol = this.#protocol
    if (!protocol) return
    this.#protocol = undefined
    protocol.end((open) => open.end(missing))
    const { inputMessages, lastOutput, errors } = protocol
    if (capturesContent()) call.setRequest(undefined, requestContentAttributes({ messages: inputMessages }))
    if (lastOutput) call.setRequest(undefined, responseAttributes({ messages: lastOutput }))
    const last = errors.at(-1)
    if (!last) return
    call.setRequest(undefined, {
      [`${ATTRIBUTE.OBSERVATION_METADATA}.errors`]: toMetadataText(errors),
      [ATTRIBUTE.OBSERVATION_LEVEL]: 'WARNING',
      [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: describeFailure(last.message ?? last.code).message,
    })
  }
}

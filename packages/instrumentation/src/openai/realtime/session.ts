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
import { SCOPE } from './scope.ts'

/** Ways to close that are no errors: done, going away, and without a code. */
const GOOD: readonly number[] = [1000, 1001, 1005]
/** The connection was lost, or was never made. */
const LOST = 1006

/** A session over a WebSocket: an agent, with the responses of the model and the tools of the application below it. */
export class Session {
  readonly #call: DescribedCall
  readonly #context
  #exchange: Exchange
  #connectionError: unknown
  #isClosing = false

  constructor({ url }: Fields) {
    const { searchParams, host } = url instanceof URL ? url : new URL('wss://unknown')
    const model = asName(searchParams.get('model') ?? searchParams.get('deployment') ?? undefined)
    const server = serverAttributes({}, 'openai', url instanceof URL ? `https://${host}` : undefined)
    const parent = context.active()
    const start = { scope: SCOPE, operation: 'invoke_agent', name: 'invoke_agent realtime', model, context: parent }
    this.#call = new DescribedCall({ ...start, attributes: { ...server } }, (call, missing) =>
      this.#describe(call, missing),
    )
    this.#context = this.#call.run(() => context.active())
    this.#exchange = new Exchange({ context: this.#context, model, attributes: server })
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

  /** The server sends an event. */
  receive(event: Fields): void {
    if (this.#call.ended) return
    this.#call.touch()
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
    const code = asNumber(event.code) ?? 1000
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
    this.#exchange = new Exchange({ context: this.#context, model: undefined, attributes: {} })
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

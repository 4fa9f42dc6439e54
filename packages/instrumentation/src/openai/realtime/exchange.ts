import type { Attributes, Context } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { capturesContent } from '../../gen-ai/configure.ts'
import type { Message, RequestContent } from '../../gen-ai/content.ts'
import { moreParameters } from '../../gen-ai/parameters.ts'
import { textPart } from '../../gen-ai/parts.ts'
import { asName, asRecord, asString, defined, entryOf, type Fields } from '../../gen-ai/read.ts'
import { Conversation } from '../../realtime/conversation.ts'
import type { Exchange } from '../../realtime/session.ts'
import { formatOf, Sound } from '../../realtime/sound.ts'
import { SessionTools } from '../../realtime/tools.ts'
import type { Call } from '../../record/call.ts'
import { parametersOf } from '../parameters.ts'
import { messageOfSessionItem } from './items.ts'
import { SessionResponse, toolCallsOf } from './response.ts'

/** Responses that are open or requested at once, and errors that are named. */
const LIMIT = 16

export interface ExchangeStart {
  /** Name of the tracer. */
  readonly scope: string
  /** In which responses and tools begin. */
  readonly context: Context
  readonly model: string | undefined
  /** Of every response. */
  readonly attributes: Attributes
  /** The agent that speaks now, where it has a name. */
  readonly agent?: (() => string | undefined) | undefined
}

/** A session in the words of OpenAI. */
export class RealtimeExchange implements Exchange {
  readonly #scope: string
  readonly #context: Context
  readonly #attributes: Attributes
  /** What the server says of the session: model, instructions, tools. */
  #config: Fields = {}
  #model: string | undefined
  readonly #agent: ExchangeStart['agent']
  /** What is new to the model. */
  #news = new Conversation()
  readonly #questions = new Conversation()
  lastAnswer: readonly Message[] | undefined
  readonly errors: Fields[] = []
  /** What the application asks responses for. */
  #requests: Fields[] = []
  readonly #responses = new Map<unknown, SessionResponse>()
  readonly #tools: SessionTools
  readonly #sound = new Sound()

  constructor({ scope, context, model, attributes, agent }: ExchangeStart) {
    this.#agent = agent
    this.#scope = scope
    this.#tools = new SessionTools(scope, context)
    this.#context = context
    this.#model = model
    this.#attributes = attributes
  }

  get questions(): readonly Message[] {
    return this.#questions.messages
  }

  get id(): string | undefined {
    return asName(this.#config.id)
  }

  send(event: Fields): void {
    entryOf(SENT, asString(event.type) ?? '')?.(this, event)
  }

  receive(event: Fields): void {
    const type = asString(event.type) ?? ''
    const known = entryOf(RECEIVED, type)
    if (known) known(this, event)
    else if (type.startsWith('response.')) this.progress(event)
  }

  configure({ session }: Fields): void {
    this.#config = asRecord(session)
    this.#model = asName(this.#config.model) ?? this.#model
  }

  sendSound({ audio }: Fields): void {
    this.#sound.add(audio)
  }

  clearSound(): void {
    this.#sound.clear()
  }

  sendItem({ item }: Fields): void {
    const sent = asRecord(item)
    if (sent.type === 'function_call_output') this.#tools.end(sent)
  }

  request({ response, event_id }: Fields): void {
    if (this.#requests.length < LIMIT) this.#requests.push({ ...asRecord(response), event_id })
  }

  addItem({ item }: Fields): void {
    const added = asRecord(item)
    const isOutput = [...this.#responses.values()].some((response) => response.makes(added.id))
    if (isOutput || !capturesContent()) return
    const message = messageOfSessionItem(added)
    this.#news.put(added.id, message)
    if (added.role === 'user') this.#questions.put(added.id, message)
  }

  deleteItem({ item_id }: Fields): void {
    this.#news.delete(item_id)
  }

  /** What the user spoke, as text. The model may be answering already. */
  transcribe({ item_id, transcript }: Fields): void {
    if (!capturesContent()) return
    for (const conversation of [this.#news, this.#questions]) conversation.transcribe(item_id, transcript)
    for (const { asked } of this.#responses.values()) asked.transcribe(item_id, transcript)
  }

  begin({ response }: Fields): void {
    const created = asRecord(response)
    const request = this.#requests.shift() ?? {}
    if (this.#responses.size >= LIMIT || this.#responses.has(created.id)) return
    const config = this.#config
    const asked = Array.isArray(request.input) ? conversationOf(request.input) : this.#news
    if (asked === this.#news && request.conversation !== 'none') this.#news = new Conversation()
    const instructions = asString(request.instructions ?? config.instructions)
    const tools = request.tools ?? config.tools
    const started = new SessionResponse({
      scope: this.#scope,
      context: this.#context,
      model: this.#model,
      attributes: {
        ...this.#attributes,
        ...defined({ [GEN_AI.AGENT_NAME]: this.#agent?.() }),
        ...sessionParameters({ ...config, ...request, ...withoutNulls(created) }),
      },
      asked,
      question: () => questionOf(asked, instructions, tools),
      soundIn: this.#sound.take(formatOf(config, 'input')),
      soundFormat: formatOf(created, 'output') ?? formatOf(config, 'output'),
    })
    this.#responses.set(created.id, started)
  }

  progress(event: Fields): void {
    const response = this.#responses.get(event.response_id)
    if (!response) return
    response.receive(event)
    const call = response.toolCallIn(event)
    if (call) this.#tools.begin(call)
  }

  finish(event: Fields): void {
    const response = asRecord(event.response)
    const known = this.#responses.get(response.id)
    if (!known) return
    this.#responses.delete(response.id)
    known.done(event)
    this.lastAnswer = known.answer.messages?.length ? known.answer.messages : this.lastAnswer
    for (const call of toolCallsOf(response)) this.#tools.begin(call)
  }

  /** The server refuses an event, and the session goes on. */
  addError({ error }: Fields): void {
    const { type, code, message, event_id } = asRecord(error)
    if (this.errors.length < LIMIT)
      this.errors.push({ type: asName(type), code: asName(code), message: asName(message) })
    const refused = this.#requests.find((request) => request.event_id !== undefined && request.event_id === event_id)
    if (refused) this.#requests = this.#requests.filter((request) => request !== refused)
    else if (code === 'conversation_already_has_active_response') this.#requests.pop()
  }

  end(close: (open: Call) => void): void {
    for (const response of this.#responses.values()) {
      close(response.call)
      this.lastAnswer = response.answer.messages?.length ? response.answer.messages : this.lastAnswer
    }
    this.#responses.clear()
    this.#requests = []
    this.#news = new Conversation()
    this.#tools.clear()
  }
}

type Handler = (exchange: RealtimeExchange, event: Fields) => void

const SENT: Readonly<Record<string, Handler>> = {
  'input_audio_buffer.append': (exchange, event) => exchange.sendSound(event),
  'input_audio_buffer.clear': (exchange) => exchange.clearSound(),
  'conversation.item.create': (exchange, event) => exchange.sendItem(event),
  'response.create': (exchange, event) => exchange.request(event),
}

const RECEIVED: Readonly<Record<string, Handler>> = {
  'session.created': (exchange, event) => exchange.configure(event),
  'session.updated': (exchange, event) => exchange.configure(event),
  // The first is what the beta calls the second.
  'conversation.item.created': (exchange, event) => exchange.addItem(event),
  'conversation.item.added': (exchange, event) => exchange.addItem(event),
  'conversation.item.deleted': (exchange, event) => exchange.deleteItem(event),
  'conversation.item.input_audio_transcription.completed': (exchange, event) => exchange.transcribe(event),
  'response.created': (exchange, event) => exchange.begin(event),
  'response.done': (exchange, event) => exchange.finish(event),
  error: (exchange, event) => exchange.addError(event),
}

/** What a response is asked for, in the place of the conversation. */
function conversationOf(items: readonly unknown[]): Conversation {
  const conversation = new Conversation()
  for (const [at, item] of items.entries()) {
    const fields = asRecord(item)
    if (capturesContent() && fields.type !== 'item_reference') conversation.put(at, messageOfSessionItem(fields))
  }
  return conversation
}

function questionOf(asked: Conversation, instructions: string | undefined, tools: unknown): RequestContent {
  return {
    ...(instructions ? { instructions: [textPart(instructions)] } : {}),
    messages: asked.messages,
    tools: Array.isArray(tools) && tools.length > 0 ? tools : undefined,
  }
}

/** What a session and a response say besides their content. */
function sessionParameters(config: Fields): Attributes {
  // Whether a response belongs to the conversation is no id of one.
  const { conversation: _, ...named } = config
  const { audio, voice, modalities, output_modalities = modalities, max_response_output_tokens } = named
  const { voice: spoken } = asRecord(asRecord(audio).output)
  return {
    ...parametersOf({ max_output_tokens: max_response_output_tokens, ...named }),
    ...moreParameters({ voice: voice ?? spoken, output_modalities }),
  }
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

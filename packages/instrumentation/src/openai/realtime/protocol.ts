import type { Attributes, Context } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { capturesContent } from '../../gen-ai/configure.ts'
import type { Message, RequestContent } from '../../gen-ai/content.ts'
import { extraParameters } from '../../gen-ai/parameters.ts'
import { textPart } from '../../gen-ai/parts.ts'
import { asName, asRecord, asString, defined, type Fields } from '../../gen-ai/read.ts'
import { SessionConversation } from '../../realtime/conversation.ts'
import type { SessionProtocol } from '../../realtime/session.ts'
import { AudioMeter, readAudioFormat } from '../../realtime/sound.ts'
import { SessionTools } from '../../realtime/tools.ts'
import type { CallSpan } from '../../record/call.ts'
import { readRequestParameters } from '../parameters.ts'
import { sessionItemToMessage } from './items.ts'
import { readToolCalls, SessionResponse } from './response.ts'

/** Most open responses, requested responses, and recorded errors. */
const LIMIT = 16

export interface RealtimeProtocolStart {
  /** Name of the tracer. */
  readonly scope: string
  /** The parent context of responses and tools. */
  readonly context: Context
  readonly model: string | undefined
  /** Attributes of every response. */
  readonly attributes: Attributes
  /** Returns the name of the active agent, if it has one. */
  readonly agent?: (() => string | undefined) | undefined
}

/** Interprets sessions of OpenAI's Realtime API. */
export class RealtimeProtocol implements SessionProtocol {
  readonly #scope: string
  readonly #context: Context
  readonly #attributes: Attributes
  /** The session's configuration: model, instructions, tools. */
  #config: Fields = {}
  #model: string | undefined
  readonly #agent: RealtimeProtocolStart['agent']
  /** Messages since the last response. */
  #newMessages = new SessionConversation()
  readonly #allUserMessages = new SessionConversation()
  lastOutput: readonly Message[] | undefined
  readonly errors: Fields[] = []
  /** Options of requested responses. */
  #pendingRequests: Fields[] = []
  readonly #responses = new Map<unknown, SessionResponse>()
  readonly #tools: SessionTools
  readonly #audioMeter = new AudioMeter()

  constructor({ scope, context, model, attributes, agent }: RealtimeProtocolStart) {
    this.#agent = agent
    this.#scope = scope
    this.#tools = new SessionTools(scope, context)
    this.#context = context
    this.#model = model
    this.#attributes = attributes
  }

  get inputMessages(): readonly Message[] {
    return this.#allUserMessages.messages
  }

  get id(): string | undefined {
    return asName(this.#config.id)
  }

  send(event: Fields): void {
    own(SENT, asString(event.type) ?? '')?.(this, event)
  }

  receive(event: Fields): void {
    const type = asString(event.type) ?? ''
    const handler = own(RECEIVED, type)
    if (handler) handler(this, event)
    else if (type.startsWith('response.')) this.onResponseEvent(event)
  }

  configure({ session }: Fields): void {
    this.#config = asRecord(session)
    this.#model = asName(this.#config.model) ?? this.#model
  }

  addAudio({ audio }: Fields): void {
    this.#audioMeter.add(audio)
  }

  clearAudio(): void {
    this.#audioMeter.clear()
  }

  sendItem({ item }: Fields): void {
    const sent = asRecord(item)
    if (sent.type === 'function_call_output') this.#tools.endCall(sent)
  }

  request({ response, event_id }: Fields): void {
    if (this.#pendingRequests.length < LIMIT) this.#pendingRequests.push({ ...asRecord(response), event_id })
  }

  addItem({ item }: Fields): void {
    const added = asRecord(item)
    const isOutput = [...this.#responses.values()].some((response) => response.makes(added.id))
    if (isOutput || !capturesContent()) return
    const message = sessionItemToMessage(added)
    this.#newMessages.put(added.id, message)
    if (added.role === 'user') this.#allUserMessages.put(added.id, message)
  }

  deleteItem({ item_id }: Fields): void {
    this.#newMessages.delete(item_id)
  }

  /** Called with a transcript of the user's audio; the model may be responding already. */
  transcribe({ item_id, transcript }: Fields): void {
    if (!capturesContent()) return
    for (const conversation of [this.#newMessages, this.#allUserMessages]) conversation.transcribe(item_id, transcript)
    for (const { inputMessages } of this.#responses.values()) inputMessages.transcribe(item_id, transcript)
  }

  startResponse({ response }: Fields): void {
    const created = asRecord(response)
    const request = this.#pendingRequests.shift() ?? {}
    if (this.#responses.size >= LIMIT || this.#responses.has(created.id)) return
    const config = this.#config
    const inputMessages = Array.isArray(request.input) ? createConversation(request.input) : this.#newMessages
    if (inputMessages === this.#newMessages && request.conversation !== 'none')
      this.#newMessages = new SessionConversation()
    const instructions = asString(request.instructions ?? config.instructions)
    const tools = request.tools ?? config.tools
    const started = new SessionResponse({
      scope: this.#scope,
      context: this.#context,
      model: this.#model,
      attributes: {
        ...this.#attributes,
        ...defined({ [GEN_AI.AGENT_NAME]: this.#agent?.() }),
        ...readSessionParameters({ ...config, ...request, ...withoutNulls(created) }),
      },
      inputMessages,
      readContent: () => createRequestContent(inputMessages, instructions, tools),
      inputAudio: this.#audioMeter.take(readAudioFormat(config, 'input')),
      audioFormat: readAudioFormat(created, 'output') ?? readAudioFormat(config, 'output'),
    })
    this.#responses.set(created.id, started)
  }

  onResponseEvent(event: Fields): void {
    const response = this.#responses.get(event.response_id)
    if (!response) return
    response.receive(event)
    const call = response.toolCallIn(event)
    if (call) this.#tools.startCall(call)
  }

  endResponse(event: Fields): void {
    const response = asRecord(event.response)
    const handler = this.#responses.get(response.id)
    if (!handler) return
    this.#responses.delete(response.id)
    handler.done(event)
    this.lastOutput = handler.response.messages?.length ? handler.response.messages : this.lastOutput
    for (const call of readToolCalls(response)) this.#tools.startCall(call)
  }

  /** Called when the server rejects an event, after which the session continues. */
  addError({ error }: Fields): void {
    const { type, code, message, event_id } = asRecord(error)
    if (this.errors.length < LIMIT)
      this.errors.push({ type: asName(type), code: asName(code), message: asName(message) })
    const refused = this.#pendingRequests.find(
      (request) => request.event_id !== undefined && request.event_id === event_id,
    )
    if (refused) this.#pendingRequests = this.#pendingRequests.filter((request) => request !== refused)
    else if (code === 'conversation_already_has_active_response') this.#pendingRequests.pop()
  }

  end(close: (open: CallSpan) => void): void {
    for (const response of this.#responses.values()) {
      close(response.call)
      this.lastOutput = response.response.messages?.length ? response.response.messages : this.lastOutput
    }
    this.#responses.clear()
    this.#pendingRequests = []
    this.#newMessages = new SessionConversation()
    this.#tools.clear()
  }
}

type Handler = (protocol: RealtimeProtocol, event: Fields) => void

const SENT: Readonly<Record<string, Handler>> = {
  'input_audio_buffer.append': (protocol, event) => protocol.addAudio(event),
  'input_audio_buffer.clear': (protocol) => protocol.clearAudio(),
  'conversation.item.create': (protocol, event) => protocol.sendItem(event),
  'response.create': (protocol, event) => protocol.request(event),
}

const RECEIVED: Readonly<Record<string, Handler>> = {
  'session.created': (protocol, event) => protocol.configure(event),
  'session.updated': (protocol, event) => protocol.configure(event),
  // The beta API's name for the next event.
  'conversation.item.created': (protocol, event) => protocol.addItem(event),
  'conversation.item.added': (protocol, event) => protocol.addItem(event),
  'conversation.item.deleted': (protocol, event) => protocol.deleteItem(event),
  'conversation.item.input_audio_transcription.completed': (protocol, event) => protocol.transcribe(event),
  'response.created': (protocol, event) => protocol.startResponse(event),
  'response.done': (protocol, event) => protocol.endResponse(event),
  error: (protocol, event) => protocol.addError(event),
}

/** Creates the conversation of a response that has its own input. */
function createConversation(items: readonly unknown[]): SessionConversation {
  const conversation = new SessionConversation()
  for (const [at, item] of items.entries()) {
    const fields = asRecord(item)
    if (capturesContent() && fields.type !== 'item_reference') conversation.put(at, sessionItemToMessage(fields))
  }
  return conversation
}

function createRequestContent(
  inputMessages: SessionConversation,
  instructions: string | undefined,
  tools: unknown,
): RequestContent {
  return {
    ...(instructions ? { instructions: [textPart(instructions)] } : {}),
    messages: inputMessages.messages,
    tools: Array.isArray(tools) && tools.length > 0 ? tools : undefined,
  }
}

function readSessionParameters(config: Fields): Attributes {
  // `conversation` is a mode here, not a conversation id.
  const { conversation: _, ...named } = config
  const { audio, voice, modalities, output_modalities = modalities, max_response_output_tokens } = named
  const { voice: outputVoice } = asRecord(asRecord(audio).output)
  return {
    ...readRequestParameters({ max_output_tokens: max_response_output_tokens, ...named }),
    ...extraParameters({ voice: voice ?? outputVoice, output_modalities }),
  }
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

import type { Attributes, Context } from '@opentelemetry/api'
import { capturesContent } from '../../gen-ai/configure.ts'
import type { Message, RequestContent } from '../../gen-ai/content.ts'
import { extraParameters } from '../../gen-ai/parameters.ts'
import { toolResponsePart } from '../../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, type Fields, isObject } from '../../gen-ai/read.ts'
import { SessionConversation } from '../../realtime/conversation.ts'
import type { SessionProtocol } from '../../realtime/session.ts'
import { AudioMeter } from '../../realtime/sound.ts'
import { SessionTools } from '../../realtime/tools.ts'
import type { CallSpan } from '../../record/call.ts'
import { toMessages } from '../contents.ts'
import { readParameters, readRequest } from '../generate.ts'
import { LiveTurn } from './turn.ts'

export interface LiveProtocolStart {
  /** Name of the tracer. */
  readonly scope: string
  /** The parent context of turns and tools. */
  readonly context: Context
  readonly model: string | undefined
  /** Attributes of every turn. */
  readonly attributes: Attributes
}

/** Interprets sessions of Gemini's Live API. */
export class LiveProtocol implements SessionProtocol {
  readonly #start: LiveProtocolStart
  /** The session's setup: instructions, tools, parameters. */
  #setup: Fields = {}
  id: string | undefined
  lastOutput: readonly Message[] | undefined
  readonly errors: Fields[] = []
  /** Messages since the last turn of the model. */
  #newMessages = new SessionConversation()
  readonly #allUserMessages = new SessionConversation()
  /** The input of the open turn. */
  #turnMessages = this.#newMessages
  #turn: LiveTurn | undefined
  /** When the user's turn ended. */
  #requestedAt: number | undefined
  #count = 0
  #turns = 0
  readonly #tools: SessionTools
  readonly #audioMeter = new AudioMeter()
  #audioFormat: unknown

  constructor(start: LiveProtocolStart) {
    this.#start = start
    this.#tools = new SessionTools(start.scope, start.context)
  }

  get inputMessages(): readonly Message[] {
    return this.#allUserMessages.messages
  }

  send({ setup, clientContent, realtimeInput, toolResponse, contextUpdate }: Fields): void {
    if (isObject(setup)) this.#setup = setup
    if (isObject(contextUpdate)) this.#setup = { ...this.#setup, ...contextUpdate }
    if (isObject(clientContent)) this.#sendContent(clientContent)
    if (isObject(realtimeInput)) this.#sendInput(realtimeInput)
    if (isObject(toolResponse)) this.#sendResults(toolResponse)
  }

  receive(event: Fields): void {
    const { setupComplete, serverContent, toolCall, toolCallCancellation } = event
    const { modelTurn, outputTranscription, inputTranscription, interrupted, turnComplete } = asRecord(serverContent)
    if (isObject(setupComplete)) this.id = asName(setupComplete.sessionId)
    this.#transcribe(asRecord(inputTranscription).text)
    const hasModelOutput = isObject(modelTurn) || isObject(outputTranscription) || isObject(toolCall)
    if (hasModelOutput && this.#turn?.isInterrupted) this.#endTurn()
    if (hasModelOutput) this.#turn ??= this.#startTurn()
    const turn = this.#turn
    if (!turn) return
    turn.receive(event)
    for (const call of asArray(asRecord(toolCall).functionCalls)) {
      const { id, name, args } = asRecord(call)
      this.#tools.startCall({ call_id: id, name, arguments: args })
    }
    for (const id of asArray(asRecord(toolCallCancellation).ids)) this.#tools.cancel(id)
    if (interrupted === true) turn.isInterrupted = true
    if (turnComplete === true) this.#endTurn()
  }

  end(close: (open: CallSpan) => void): void {
    const turn = this.#turn
    if (turn) close(turn.call)
    this.#turn = undefined
    this.#rememberOutput(turn)
    this.#newMessages = new SessionConversation()
    this.#turnMessages = this.#newMessages
    this.#tools.clear()
  }

  #sendContent({ turns, turnComplete }: Fields): void {
    for (const message of capturesContent() ? toMessages(turns) : []) this.#add(message)
    if (turnComplete !== false) this.#requestedAt = Date.now()
  }

  #sendInput({ text, audio, mediaChunks, activityEnd, audioStreamEnd }: Fields): void {
    if (asString(text) && capturesContent()) for (const message of toMessages(text)) this.#add(message)
    for (const { data, mimeType } of [audio, ...asArray(mediaChunks)].map(asRecord)) {
      if (!asString(mimeType)?.startsWith('audio/')) continue
      this.#audioMeter.add(data)
      this.#audioFormat = mimeType
    }
    // Audio may continue after each chunk: only these events end the user's turn.
    const endsUserTurn = asString(text) !== undefined || isObject(activityEnd) || audioStreamEnd === true
    this.#requestedAt = endsUserTurn ? Date.now() : undefined
  }

  #sendResults({ functionResponses }: Fields): void {
    if (this.#turn?.isWaiting) this.#endTurn()
    for (const result of asArray(functionResponses)) {
      const { id, name, response } = asRecord(result)
      this.#tools.endCall({ call_id: id, name, output: response })
      if (capturesContent()) this.#add({ role: 'tool', parts: [toolResponsePart(id, response, name)] })
    }
    this.#requestedAt = Date.now()
  }

  #add(message: Message): void {
    this.#count += 1
    this.#newMessages.put(this.#count, message)
    if (message.role === 'user') this.#allUserMessages.put(this.#count, message)
  }

  /** Appends a piece of the user's transcript; the model may be responding already. */
  #transcribe(text: unknown): void {
    const piece = asString(text)
    if (!piece || !capturesContent()) return
    const isTurnOpen = this.#turn !== undefined && !this.#turn.isInterrupted
    const id = `spoken ${isTurnOpen ? this.#turns - 1 : this.#turns}`
    const conversation = isTurnOpen ? this.#turnMessages : this.#newMessages
    conversation.append(id, 'user', piece)
    this.#allUserMessages.append(id, 'user', piece)
  }

  #startTurn(): LiveTurn {
    const turnMessages = this.#newMessages
    this.#turnMessages = turnMessages
    this.#turns += 1
    this.#newMessages = new SessionConversation()
    const { scope, context, model, attributes } = this.#start
    const { generationConfig, systemInstruction, tools } = this.#setup
    const requestedAt = this.#requestedAt
    this.#requestedAt = undefined
    return new LiveTurn({
      scope,
      context,
      model,
      attributes: { ...attributes, ...liveParameters(asRecord(generationConfig)) },
      requestedAt,
      readContent: (): RequestContent => ({
        ...readRequest({ config: { systemInstruction, tools } }),
        messages: turnMessages.messages,
      }),
      inputAudio: this.#audioMeter.take(this.#audioFormat),
    })
  }

  #endTurn(): void {
    const turn = this.#turn
    this.#turn = undefined
    turn?.end()
    this.#rememberOutput(turn)
  }

  #rememberOutput(turn: LiveTurn | undefined): void {
    if (turn?.response.messages?.length) this.lastOutput = turn.response.messages
  }
}

function liveParameters(config: Fields): Attributes {
  const { prebuiltVoiceConfig } = asRecord(asRecord(config.speechConfig).voiceConfig)
  return {
    ...readParameters(config),
    ...extraParameters({
      voice: asRecord(prebuiltVoiceConfig).voiceName,
      output_modalities: config.responseModalities,
    }),
  }
}

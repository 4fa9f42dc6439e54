import type { Attributes, Context } from '@opentelemetry/api'
import { capturesContent } from '../../gen-ai/configure.ts'
import type { Message, RequestContent } from '../../gen-ai/content.ts'
import { moreParameters } from '../../gen-ai/parameters.ts'
import { toolAnswerPart } from '../../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, type Fields, isObject } from '../../gen-ai/read.ts'
import { Conversation } from '../../realtime/conversation.ts'
import type { Exchange } from '../../realtime/session.ts'
import { Sound } from '../../realtime/sound.ts'
import { SessionTools } from '../../realtime/tools.ts'
import type { Call } from '../../record/call.ts'
import { messagesOf } from '../contents.ts'
import { parametersOf, questionOf } from '../generate.ts'
import { LiveTurn } from './turn.ts'

export interface LiveStart {
  /** Name of the tracer. */
  readonly scope: string
  /** In which turns and tools begin. */
  readonly context: Context
  readonly model: string | undefined
  /** Of every turn. */
  readonly attributes: Attributes
}

/** A session in the words of the Live API of Gemini. */
export class LiveExchange implements Exchange {
  readonly #start: LiveStart
  /** What the session was opened with: instructions, tools, parameters. */
  #setup: Fields = {}
  id: string | undefined
  lastAnswer: readonly Message[] | undefined
  readonly errors: Fields[] = []
  /** What is new to the model. */
  #news = new Conversation()
  readonly #questions = new Conversation()
  /** What the model was asked with the turn that is open. */
  #asked = this.#news
  #turn: LiveTurn | undefined
  /** When the model was asked. */
  #since: number | undefined
  #count = 0
  #turns = 0
  readonly #tools: SessionTools
  readonly #sound = new Sound()
  #soundFormat: unknown

  constructor(start: LiveStart) {
    this.#start = start
    this.#tools = new SessionTools(start.scope, start.context)
  }

  get questions(): readonly Message[] {
    return this.#questions.messages
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
    const isSaying = isObject(modelTurn) || isObject(outputTranscription) || isObject(toolCall)
    if (isSaying && this.#turn?.isInterrupted) this.#endTurn()
    if (isSaying) this.#turn ??= this.#beginTurn()
    const turn = this.#turn
    if (!turn) return
    turn.receive(event)
    for (const call of asArray(asRecord(toolCall).functionCalls)) {
      const { id, name, args } = asRecord(call)
      this.#tools.begin({ call_id: id, name, arguments: args })
    }
    for (const id of asArray(asRecord(toolCallCancellation).ids)) this.#tools.cancel(id)
    if (interrupted === true) turn.isInterrupted = true
    if (turnComplete === true) this.#endTurn()
  }

  end(close: (open: Call) => void): void {
    const turn = this.#turn
    if (turn) close(turn.call)
    this.#turn = undefined
    this.#keepAnswer(turn)
    this.#news = new Conversation()
    this.#asked = this.#news
    this.#tools.clear()
  }

  #sendContent({ turns, turnComplete }: Fields): void {
    for (const message of capturesContent() ? messagesOf(turns) : []) this.#add(message)
    if (turnComplete !== false) this.#since = Date.now()
  }

  #sendInput({ text, audio, mediaChunks, activityEnd, audioStreamEnd }: Fields): void {
    if (asString(text) && capturesContent()) for (const message of messagesOf(text)) this.#add(message)
    for (const { data, mimeType } of [audio, ...asArray(mediaChunks)].map(asRecord)) {
      if (!asString(mimeType)?.startsWith('audio/')) continue
      this.#sound.add(data)
      this.#soundFormat = mimeType
    }
    // Who speaks goes on speaking: only these tell when the model was asked.
    const isAsking = asString(text) !== undefined || isObject(activityEnd) || audioStreamEnd === true
    this.#since = isAsking ? Date.now() : undefined
  }

  #sendResults({ functionResponses }: Fields): void {
    if (this.#turn?.isWaiting) this.#endTurn()
    for (const answer of asArray(functionResponses)) {
      const { id, name, response } = asRecord(answer)
      this.#tools.end({ call_id: id, name, output: response })
      if (capturesContent()) this.#add({ role: 'tool', parts: [toolAnswerPart(id, response, name)] })
    }
    this.#since = Date.now()
  }

  #add(message: Message): void {
    this.#count += 1
    this.#news.put(this.#count, message)
    if (message.role === 'user') this.#questions.put(this.#count, message)
  }

  /** What the user speaks, piece by piece; the model may be answering already. */
  #transcribe(text: unknown): void {
    const piece = asString(text)
    if (!piece || !capturesContent()) return
    const isAsked = this.#turn !== undefined && !this.#turn.isInterrupted
    const id = `spoken ${isAsked ? this.#turns - 1 : this.#turns}`
    const conversation = isAsked ? this.#asked : this.#news
    conversation.append(id, 'user', piece)
    this.#questions.append(id, 'user', piece)
  }

  #beginTurn(): LiveTurn {
    const asked = this.#news
    this.#asked = asked
    this.#turns += 1
    this.#news = new Conversation()
    const { scope, context, model, attributes } = this.#start
    const { generationConfig, systemInstruction, tools } = this.#setup
    const since = this.#since
    this.#since = undefined
    return new LiveTurn({
      scope,
      context,
      model,
      attributes: { ...attributes, ...liveParameters(asRecord(generationConfig)) },
      since,
      question: (): RequestContent => ({
        ...questionOf({ config: { systemInstruction, tools } }),
        messages: asked.messages,
      }),
      soundIn: this.#sound.take(this.#soundFormat),
    })
  }

  #endTurn(): void {
    const turn = this.#turn
    this.#turn = undefined
    turn?.end()
    this.#keepAnswer(turn)
  }

  #keepAnswer(turn: LiveTurn | undefined): void {
    if (turn?.answer.messages?.length) this.lastAnswer = turn.answer.messages
  }
}

function liveParameters(config: Fields): Attributes {
  const { prebuiltVoiceConfig } = asRecord(asRecord(config.speechConfig).voiceConfig)
  return {
    ...parametersOf(config),
    ...moreParameters({
      voice: asRecord(prebuiltVoiceConfig).voiceName,
      output_modalities: config.responseModalities,
    }),
  }
}

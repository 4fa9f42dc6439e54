import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { chatMessages } from '@svc/core/chat-content'
import type { SpanLife } from '@svc/core/span-life'
import { toBoundedJson } from '../gen-ai/bounded-json.ts'
import { TextBudget, TextBuffer } from '../gen-ai/buffers.ts'
import { chatText } from '../gen-ai/chat-text.ts'
import type { Part } from '../gen-ai/content.ts'
import { parseJson, reasoningPart, textPart, toolCallPart } from '../gen-ai/parts.ts'
import { asName, asRecord, asString } from '../gen-ai/read.ts'
import { withThoughts } from '../gen-ai/thoughts.ts'
import { isSource, sourcesIn } from './answer.ts'
import { tokenCounts } from './token-counts.ts'

/** The attributes of the spans of a major: the SDK's own (5 and 6), or those of the service and the GenAI conventions (7). */
export type AttributeDialect = 'ai' | 'gen_ai'

const TOOL_CALLS = 128
const SOURCES = 128

interface ToolCall {
  readonly name: unknown
  readonly input: TextBuffer
}

/**
 * The output of a model stream, as far as it has arrived. Not merged by a table (`gen-ai/merge.ts`): a tool call that
 * arrives whole counts only if no chunks of it arrived before.
 */
export class StreamedOutput {
  readonly #startedAt = performance.now()
  readonly #life: Pick<SpanLife, 'touch'>
  readonly #budget = new TextBudget()
  readonly #text = new TextBuffer(this.#budget)
  readonly #reasoning = new TextBuffer(this.#budget)
  readonly #toolCalls = new Map<string, ToolCall>()
  readonly sources: unknown[] = []
  #firstOutput: number | undefined
  #response: Attributes = {}
  /** An error that the model reports in a stream that does not fail itself. */
  failure: { readonly error: unknown } | undefined
  /** The last chunk, which has the token counts. */
  finish: unknown

  /** @param life of the span, for which each chunk is activity */
  constructor(life: Pick<SpanLife, 'touch'>) {
    this.#life = life
  }

  add(chunk: unknown): void {
    this.#life.touch()
    const { type, delta, id, toolCallId, toolName, input, modelId, error } = asRecord(chunk)
    if (type === 'text-delta') this.#noteOutput(this.#text.add(delta))
    else if (type === 'reasoning-delta') this.#noteOutput(this.#reasoning.add(delta))
    else if (type === 'tool-input-start') this.#toolCall(id, toolName)
    else if (type === 'tool-input-delta') this.#noteOutput(this.#toolCall(id, undefined)?.input.add(delta) === true)
    else if (type === 'tool-call') this.#addToolCall(toolCallId, toolName, input)
    else if (type === 'response-metadata') this.#response = responseAttributes(id, modelId)
    else if (isSource(chunk) && this.sources.length < SOURCES) this.sources.push(chunk)
    else if (type === 'finish') this.finish = chunk
    else if (type === 'error') this.failure = { error }
  }

  /** Returns the output so far and, for the span of the model, the response id and model. */
  attributes(dialect: AttributeDialect, ofModel: boolean, withContent: boolean): Attributes {
    return { ...(ofModel ? this.#response : {}), ...(withContent ? CONTENT[dialect](this, ofModel) : {}) }
  }

  /** Returns token counts, sources, and the seconds until the first output if they are not known. */
  figures(dialect: AttributeDialect, withContent: boolean, hasTiming: boolean): Attributes {
    const [first, started] = [this.#firstOutput, this.#startedAt]
    return {
      ...(this.finish ? tokenCounts(this.finish, dialect) : {}),
      ...(withContent ? sourcesIn(this.sources) : {}),
      ...(!hasTiming && first !== undefined && { [GEN_AI.RESPONSE_TIME_TO_FIRST_CHUNK]: (first - started) / 1_000 }),
    }
  }

  get text(): string | undefined {
    return this.#text.text
  }

  get reasoning(): string | undefined {
    return this.#reasoning.text
  }

  get toolCalls(): readonly { id: string; name: unknown; input: unknown }[] {
    return [...this.#toolCalls].map(([id, { name, input }]) => ({ id, name, input: parseJson(input.text) }))
  }

  #noteOutput(isOutput: boolean): void {
    if (isOutput) this.#firstOutput ??= performance.now()
  }

  #toolCall(id: unknown, name: unknown): ToolCall | undefined {
    const key = asName(id)
    if (key === undefined) return undefined
    const known = this.#toolCalls.get(key)
    if (known || this.#toolCalls.size >= TOOL_CALLS) return known
    const call = { name: asName(name), input: new TextBuffer(this.#budget) }
    this.#toolCalls.set(key, call)
    return call
  }

  /** A tool call that is complete; chunks of it may have arrived before. */
  #addToolCall(id: unknown, name: unknown, input: unknown): void {
    const call = this.#toolCall(id, name)
    if (call && call.input.text === undefined) call.input.add(asString(input))
    this.#noteOutput(true)
  }
}

/** What a model answered. */
export type AnswerContent = Pick<StreamedOutput, 'text' | 'reasoning' | 'toolCalls'>

/** Returns what a model answered as attributes. */
export const CONTENT: Readonly<Record<AttributeDialect, (answer: AnswerContent, ofModel: boolean) => Attributes>> = {
  ai: ({ text, reasoning, toolCalls }) => {
    const calls = toolCalls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input }))
    return {
      ...(text ? { 'ai.response.text': text } : {}),
      ...(reasoning ? { 'ai.response.reasoning': reasoning } : {}),
      ...(calls.length > 0 ? { 'ai.response.toolCalls': toBoundedJson(calls) } : {}),
    }
  },
  gen_ai: ({ text, reasoning, toolCalls }, ofModel) => {
    // As for a call that ends normally: tool calls on the way to an answer are recorded on the spans of the models.
    const calls = text && !ofModel ? [] : toolCalls
    const parts: Part[] = [
      ...reasoningPart(reasoning),
      ...(text ? [textPart(text)] : []),
      ...calls.map(({ id, name, input }) => toolCallPart(id, name, input)),
    ]
    if (parts.length === 0) return {}
    return { [ATTRIBUTE.OBSERVATION_OUTPUT]: chatText(chatMessages([withThoughts({ role: 'assistant', parts })])) }
  },
}

function responseAttributes(id: unknown, model: unknown): Attributes {
  const [responseId, responseModel] = [asName(id), asName(model)]
  return {
    ...(responseId ? { [GEN_AI.RESPONSE_ID]: responseId } : {}),
    ...(responseModel ? { [GEN_AI.RESPONSE_MODEL]: responseModel } : {}),
  }
}

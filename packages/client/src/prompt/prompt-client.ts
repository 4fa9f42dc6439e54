import { foreignText } from '@svc/core/foreign-text'
import { messageOf } from '@svc/core/log'
import type { ChatPrompt, Prompt, TextPrompt } from '../api/types/prompts.ts'
import { misuse } from '../misuse.ts'
import { toLangchain, toLangchainText, withDoubledBraces } from './langchain.ts'
import { type FilledEntry, fillPlaceholders, isLangchainMessage, isPlaceholder } from './placeholders.ts'
import {
  ChatMessageType,
  type LangchainMessagesPlaceholder,
  type PromptMessage,
  type PromptPlaceholders,
} from './prompt-types.ts'
import type { CompileArguments } from './registered.ts'
import { type PromptVariables, render } from './template.ts'

type TextPromptResponse = TextPrompt & { type?: 'text' }
type ChatPromptResponse = ChatPrompt & { type?: 'chat' }

/** Members of text and chat prompts. Pass it to an observation as `prompt` to link the two. */
abstract class BasePromptClient<P extends TextPromptResponse | ChatPromptResponse> {
  readonly name: string
  /** Version in the service, from 1. For a fallback: that of the file, the requested version, or 0. */
  readonly version: number
  /** Configuration stored with the prompt, for example the model and its parameters. */
  readonly config: unknown
  readonly labels: string[]
  readonly tags: string[]
  readonly commitMessage: string | null | undefined
  /**
   * Whether this prompt is a file or the `fallback` option, because it could not be fetched. It is not linked to
   * observations.
   */
  readonly isFallback: boolean
  /** Why it is a fallback, for a log: what the service answered, or that it did not. Undefined for a fetched prompt. */
  readonly fallbackReason: string | undefined
  /** The response of the service. */
  readonly promptResponse: P
  abstract readonly type: 'text' | 'chat'

  constructor(response: P, isFallback = false, fallbackReason?: string) {
    this.name = response.name
    this.version = response.version
    this.config = response.config
    this.labels = response.labels
    this.tags = response.tags
    this.commitMessage = response.commitMessage
    this.isFallback = isFallback
    this.fallbackReason = fallbackReason
    this.promptResponse = response
  }

  protected facts(prompt: unknown): string {
    const { name, version, isFallback, tags, labels, type, config } = this
    return JSON.stringify({ name, prompt, version, isFallback, tags, labels, type, config })
  }

  protected rendered(template: string, variables: object | undefined): string {
    return this.#attempt('cannot be compiled', () => render(template, variables))
  }

  protected forLangchain(template: string): string {
    return this.#attempt('has no form for LangChain', () => toLangchain(template))
  }

  #attempt(fails: string, write: () => string): string {
    try {
      return write()
    } catch (error) {
      const reason = foreignText(messageOf(error))
      throw new Error(`svc: prompt "${this.name}", version ${this.version}, ${fails}: ${reason}.`)
    }
  }
}

/** A text prompt. `V`: its variables, if known. */
export class TextPromptClient<V extends object = PromptVariables> extends BasePromptClient<TextPromptResponse> {
  readonly type = 'text'
  readonly prompt: string

  constructor(response: TextPromptResponse, isFallback?: boolean, fallbackReason?: string) {
    super(response, isFallback, fallbackReason)
    this.prompt = response.prompt
  }

  /**
   * Returns the text with its variables replaced. Unknown variables are empty; nothing is escaped.
   *
   * @throws {Error} if the template is invalid (an unclosed tag or section), or a value cannot be written as JSON
   * @example
   * prompt.compile({ city: 'Oslo' }) // 'What is the weather in {{city}}?' → 'What is the weather in Oslo?'
   */
  compile(...[variables]: CompileArguments<V, PromptPlaceholders>): string {
    return this.rendered(this.prompt, variables)
  }

  /**
   * Returns the text for LangChain's `PromptTemplate`: `{city}` for `{{city}}`, braces of JSON doubled.
   *
   * @throws {Error} if the template has a section or a partial, which LangChain lacks
   */
  getLangchainPrompt(_options?: { readonly placeholders?: PromptPlaceholders }): string {
    return this.forLangchain(this.prompt)
  }

  /** The prompt as JSON text. */
  toJSON(): string {
    return this.facts(this.prompt)
  }
}

/** A chat prompt: messages, and placeholders for messages. `V`, `P`: its variables and placeholders, if known. */
export class ChatPromptClient<
  V extends object = PromptVariables,
  P extends object = PromptPlaceholders,
> extends BasePromptClient<ChatPromptResponse> {
  readonly type = 'chat'
  readonly prompt: ChatPrompt['prompt']

  constructor(response: ChatPromptResponse, isFallback?: boolean, fallbackReason?: string) {
    const prompt = response.prompt.map(typed)
    super({ ...response, prompt }, isFallback, fallbackReason)
    this.prompt = prompt
  }

  /**
   * Returns the messages with placeholders and variables replaced. Messages that are inserted for a placeholder are
   * values: variables in them are not replaced. A placeholder without messages stays in the result, with a warning
   * (`'type' in entry` distinguishes it from a message); `[]` removes it.
   *
   * @throws {Error} if the template of a message is invalid, or a value cannot be written as JSON
   * @throws {TypeError} if `placeholders` is no object
   * @example
   * prompt.compile({ city: 'Oslo' }, { history: [{ role: 'user', content: 'Hello' }] })
   */
  compile(...[variables, placeholders]: CompileArguments<V, P>): PromptMessage[] {
    const entries = fillPlaceholders(this, placeholders, 'is reported').map(({ entry, given }) =>
      given !== undefined || typeof entry === 'string' || isPlaceholder(entry)
        ? entry
        : { ...entry, content: this.rendered(entry.content, variables) },
    )
    return entries as PromptMessage[]
  }

  /**
   * Returns the entries for LangChain's `ChatPromptTemplate.fromMessages`: variables as `{city}`, braces of JSON
   * doubled, and placeholders without messages as `["placeholder", "{history}"]`. All braces of inserted messages are
   * doubled, since they are values.
   *
   * @throws {Error} if a message has a section or a partial, which LangChain lacks
   * @throws {TypeError} for anything but `{ placeholders }`
   */
  getLangchainPrompt(options?: {
    readonly placeholders?: PromptPlaceholders
  }): (PromptMessage | LangchainMessagesPlaceholder)[] {
    if (Object.keys(Object(options)).some((key) => key !== 'placeholders')) {
      throw misuse('getLangchainPrompt', 'an object such as { placeholders: { history: […] } }', options)
    }
    const entries = fillPlaceholders(this, options?.placeholders, 'is fine').map((filled) =>
      this.#langchainEntry(filled),
    )
    return entries as (PromptMessage | LangchainMessagesPlaceholder)[]
  }

  /** The prompt as JSON text. */
  toJSON(): string {
    return this.facts(this.prompt.map(untyped))
  }

  #langchainEntry({ entry, given }: FilledEntry): unknown {
    if (isLangchainMessage(given)) return given
    if (typeof entry === 'string') return withDoubledBraces(entry)
    if (isPlaceholder(entry)) return langchainPlaceholder(`{${entry.name}}`)
    return given === undefined ? { ...entry, content: this.forLangchain(entry.content) } : toLangchainText(entry)
  }
}

/** A text or chat prompt. */
export type SvcPromptClient = TextPromptClient | ChatPromptClient

/** Returns the prompt client of a response. @throws {Error} if the response is not a prompt */
export function promptClientOf(response: Prompt | undefined): SvcPromptClient {
  if (response?.type === 'chat' && Array.isArray(response.prompt)) return new ChatPromptClient(response)
  if (response?.type !== 'chat' && typeof response?.prompt === 'string') return new TextPromptClient(response)
  throw new Error('the service returned an invalid prompt.')
}

// Entries of prompts created before placeholders existed have no type.
function typed(entry: ChatPrompt['prompt'][number]): ChatPrompt['prompt'][number] {
  return 'type' in entry && entry.type ? entry : ({ ...entry, type: ChatMessageType.ChatMessage } as typeof entry)
}

function untyped(entry: ChatPrompt['prompt'][number]): object {
  if (entry.type !== ChatMessageType.ChatMessage) return entry
  const { type: _, ...message } = entry
  return message
}

function langchainPlaceholder(content: string): LangchainMessagesPlaceholder {
  const pair: ['placeholder', string] = ['placeholder', content]
  return Object.defineProperties(pair, {
    role: { value: pair[0] },
    content: { value: content },
  }) as LangchainMessagesPlaceholder
}

// Prompts as people write them, with the real types of `openai`, `@langchain/core` and `ai`. Compiled by types.test.ts.
import { ChatPromptTemplate, PromptTemplate } from '@langchain/core/prompts'
import {
  type ChatMessageOrPlaceholder,
  ChatPromptClient,
  type CreateChatPromptBodyWithPlaceholders,
  type GetPromptOptions,
  type LangchainMessagesPlaceholder,
  type PromptClientOf,
  type PromptKind,
  type PromptMessage,
  SvcClient,
  TextPromptClient,
} from '@svc/client'
import { generateText, type LanguageModel, type ModelMessage } from 'ai'
import OpenAI from 'openai'

declare const model: LanguageModel
const client = new SvcClient()
const openai = new OpenAI()

const chat = await client.prompt.get('movie-critic', { type: 'chat' })
const history = [{ role: 'user', content: 'Hello' }]
await openai.chat.completions.create({ model: 'gpt-5', messages: chat.compile({ movie: 'Dune' }) })
await openai.chat.completions.create({ model: 'gpt-5', messages: chat.compile({}, { history }) })
await openai.chat.completions.create({
  model: 'gpt-5',
  messages: [...chat.compile({ movie: 'Dune' }), { role: 'user', content: 'And the second part?' }],
})
await openai.responses.create({ model: 'gpt-5', input: chat.compile({ movie: 'Dune' }) })
await generateText({ model, messages: chat.compile({ movie: 'Dune' }) })
export const conversation: ModelMessage[] = chat.compile()
for (const message of chat.compile()) {
  message.role.toUpperCase()
  message.content.trim()
}
const left: ChatMessageOrPlaceholder[] = chat.compile()
for (const entry of left) if ('type' in entry && entry.type === 'placeholder') entry.name.trim()

const template = ChatPromptTemplate.fromMessages(chat.getLangchainPrompt())
ChatPromptTemplate.fromMessages(chat.getLangchainPrompt().map((m) => [m.role, m.content]))
ChatPromptTemplate.fromMessages(
  chat.getLangchainPrompt({ placeholders: { history } }).map((m): [string, string] => [m.role, m.content]),
)
await template.invoke({ movie: 'Dune' })
const langchain: (PromptMessage | LangchainMessagesPlaceholder)[] = chat.getLangchainPrompt()
export const first = langchain[0]

const text = await client.prompt.get('movie-critic')
PromptTemplate.fromTemplate(text.getLangchainPrompt())
await openai.chat.completions.create({
  model: 'gpt-5',
  messages: [{ role: 'user', content: text.compile({ movie: 'Dune' }) }],
})
const prompt = { name: 'p', version: 1, config: {}, labels: [], tags: [] }
new TextPromptClient({ ...prompt, type: 'text', prompt: 'Judge {{movie}}.' }).compile()
new ChatPromptClient({ ...prompt, type: 'chat', prompt: [{ role: 'user', content: 'Judge {{movie}}.' }] }).compile()
const body: CreateChatPromptBodyWithPlaceholders = {
  name: 'p',
  type: 'chat',
  prompt: [
    { role: 'system', content: 'Judge.' },
    { type: 'placeholder', name: 'history' },
  ],
}
await client.prompt.create(body)
await client.prompt.get('movie-critic', { type: 'chat', fallback: [{ role: 'user', content: 'Judge {{movie}}.' }] })
await client.prompt.get('movie-critic', { fallback: 'Judge {{movie}}.' })
// @ts-expect-error a chat prompt has no text to fall back to
await client.prompt.get('movie-critic', { type: 'chat', fallback: 'Judge {{movie}}.' })

// Wrappers of one's own.
export const load = (name: string, options?: GetPromptOptions<PromptKind>) => client.prompt.get(name, options)
export function loadAs<K extends PromptKind>(name: string, options: GetPromptOptions<K>): Promise<PromptClientOf<K>> {
  return client.prompt.get(name, options)
}
export const loadNamed = <N extends string>(name: N) => client.prompt.get(name)
export const explicit = await client.prompt.get<'chat'>('movie-critic', { type: 'chat' })
const compiled: PromptMessage[] = explicit.compile()
console.log(compiled)

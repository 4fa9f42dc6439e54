import { asArray, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { withWireNames } from '../gen-ai/wire.ts'

// Converts values of libraries that rename the fields of the Chat Completions API (Cohere, Mistral, OpenRouter) back to
// wire names.

/** Converts a message. Reasoning may be among the parts of its content. */
export function toWireMessage(message: unknown): Fields {
  const { content, ...fields } = withWireNames(asRecord(message))
  if (!Array.isArray(content)) return defined({ ...fields, content })
  const parts: Fields[] = content.map((part) => (isObject(part) ? withWireNames(part) : { type: 'text', text: part }))
  const thoughts = parts.filter(({ type }) => type === 'thinking').map(readThoughts)
  return defined({
    reasoning_content: thoughts.join('') || undefined,
    ...fields,
    content: parts.filter(({ type }) => type !== 'thinking'),
  })
}

/** Converts a response or a chunk; text parts are joined. */
export function toWireResponse({ id, model, choices, usage, error, serviceTier }: Fields): Fields {
  const onTheWire = asArray(choices).map((choice) => {
    const { index, message, delta, finishReason, error } = asRecord(choice)
    const fields = toOpenAiAssistantMessage(message ?? delta)
    return { index, message: fields, delta: fields, finish_reason: finishReason, error }
  })
  return { id, model, choices: onTheWire, usage: toWireUsage(usage), error, service_tier: serviceTier }
}

/** Converts a message of the model; text parts are joined. */
export function toOpenAiAssistantMessage(message: unknown): Fields {
  const { content, ...fields } = toWireMessage(message)
  const parts = asArray(content).map(asRecord)
  const isText = Array.isArray(content) && parts.every(({ type }) => type === 'text')
  return { ...fields, content: isText ? parts.map(({ text }) => asString(text) ?? '').join('') : content }
}

/** Converts token counts. */
export function toWireUsage(usage: unknown): Fields | undefined {
  if (!isObject(usage)) return undefined
  const entries = Object.entries(withWireNames(usage))
  return Object.fromEntries(entries.map(([name, value]) => [name, isObject(value) ? withWireNames(value) : value]))
}

/** Returns the text of a part of a content that is reasoning. */
export function readThoughts({ thinking }: Fields): string {
  const texts = asArray(thinking).map((thought) => asString(thought) ?? asString(asRecord(thought).text) ?? '')
  return texts.join('')
}

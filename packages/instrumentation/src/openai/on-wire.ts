import { asArray, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { onWire } from '../gen-ai/wire.ts'

// The Chat Completions protocol as it travels, of libraries that have other names for its fields: Cohere's, Mistral's
// and OpenRouter's.

/** A message. What a model thought may stand among the parts of its content. */
export function messageOnWire(message: unknown): Fields {
  const { content, ...said } = onWire(asRecord(message))
  if (!Array.isArray(content)) return defined({ ...said, content })
  const parts: Fields[] = content.map((part) => (isObject(part) ? onWire(part) : { type: 'text', text: part }))
  const thoughts = parts.flatMap(({ type, thinking }) => (type === 'thinking' ? asArray(thinking).map(thoughtOf) : []))
  return defined({
    reasoning_content: thoughts.join('') || undefined,
    ...said,
    content: parts.filter(({ type }) => type !== 'thinking'),
  })
}

/** An answer, or a piece of one, whose texts are pieces of a text. */
export function answerOnWire({ id, model, choices, usage, error, serviceTier }: Fields): Fields {
  const onTheWire = asArray(choices).map((choice) => {
    const { index, message, delta, finishReason } = asRecord(choice)
    const said = answeredOnWire(message ?? delta)
    return { index, message: said, delta: said, finish_reason: finishReason }
  })
  return { id, model, choices: onTheWire, usage: usageOnWire(usage), error, service_tier: serviceTier }
}

/** A message that a model made, with one text. */
export function answeredOnWire(message: unknown): Fields {
  const { content, ...said } = messageOnWire(message)
  const parts = asArray(content).map(asRecord)
  const isText = Array.isArray(content) && parts.every(({ type }) => type === 'text')
  return { ...said, content: isText ? parts.map(({ text }) => asString(text) ?? '').join('') : content }
}

/** Token counts. */
export function usageOnWire(usage: unknown): Fields | undefined {
  if (!isObject(usage)) return undefined
  const entries = Object.entries(onWire(usage))
  return Object.fromEntries(entries.map(([name, value]) => [name, isObject(value) ? onWire(value) : value]))
}

function thoughtOf(thought: unknown): string {
  return asString(thought) ?? asString(asRecord(thought).text) ?? ''
}

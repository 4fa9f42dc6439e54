import { asArray, asRecord, type Fields, isObject } from '../gen-ai/read.ts'
import { type Reader, translated } from '../gen-ai/reader.ts'
import { chat as openaiChat } from '../openai/chat.ts'
import { embeddings as openaiEmbeddings } from '../openai/embeddings.ts'

// What the library says, in the words of the wire: `toolCalls` is `tool_calls` there.

/** `chat.send` */
export const chat: Reader = translated(openaiChat, {
  request: (body) => ({ ...onWire(body), messages: asArray(body.messages).map(messageOnWire) }),
  answer: chatAnswer,
})

/** `embeddings.generate`, whose vectors stay unread. */
export const embeddings: Reader = translated(openaiEmbeddings, {
  request: onWire,
  answer: ({ model, usage }) => ({ model, usage: usageOnWire(usage) }),
})

function chatAnswer({ id, model, choices, usage, error, serviceTier }: Fields): Fields {
  const onTheWire = asArray(choices).map((choice) => {
    const { message, delta, finishReason, index } = asRecord(choice)
    const said = messageOnWire(message ?? delta)
    return { index, message: said, delta: said, finish_reason: finishReason }
  })
  return { id, model, choices: onTheWire, usage: usageOnWire(usage), error, service_tier: serviceTier }
}

function messageOnWire(message: unknown): Fields {
  const { content, ...said } = onWire(asRecord(message))
  const parts = Array.isArray(content) ? content.map((part) => onWire(asRecord(part))) : content
  return { ...said, content: parts }
}

function usageOnWire(usage: unknown): Fields | undefined {
  if (!isObject(usage)) return undefined
  const entries = Object.entries(onWire(usage))
  return Object.fromEntries(entries.map(([name, value]) => [name, isObject(value) ? onWire(value) : value]))
}

/** The same fields by the names that they have on the wire. */
function onWire(fields: Fields): Fields {
  const entries = Object.entries(fields)
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/[A-Z]/g, (at) => `_${at.toLowerCase()}`), value]),
  )
}

import type { Message, Part } from '../../gen-ai/content.ts'
import { asArray, asName, asRecord, asString, type Fields } from '../../gen-ai/read.ts'
import { spokenPart } from '../../realtime/conversation.ts'
import { partsOf } from '../parts.ts'
import { messageOfItem } from '../response-items.ts'

/** What is spoken is recorded as the text of it, where there is one; the sound never is. */
const SPOKEN: ReadonlySet<unknown> = new Set(['input_audio', 'output_audio', 'audio'])

/** One item of the conversation of a session as a message. */
export function messageOfSessionItem(item: Fields): Message {
  if (item.type !== 'message') return messageOfItem(item)
  return { role: asName(item.role) ?? 'user', parts: asArray(item.content).flatMap((part) => partsOfContent(part)) }
}

function partsOfContent(part: unknown): Part[] {
  const { type, transcript } = asRecord(part)
  return SPOKEN.has(type) ? [spokenPart(transcript)] : partsOf([part])
}

/** An item that a model made, in the words of the Responses API. */
export function asResponseItem(item: unknown): Fields {
  const fields = asRecord(item)
  const content = asArray(fields.content).map((part) => {
    const { type, transcript } = asRecord(part)
    if (!SPOKEN.has(type)) return part
    return asString(transcript) ? { type: 'output_text', text: transcript } : spokenPart(undefined)
  })
  return fields.type === 'message' ? { ...fields, content } : fields
}

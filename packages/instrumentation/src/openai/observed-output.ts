import { dataUri } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, type Fields, isObject } from '../gen-ai/read.ts'

/**
 * Returns the output of a response (contract 4.3): the text of a response, or else its items, a single one without a
 * list; the message or the text of the first choice; of a stream the text, or a message if there is more. If a response
 * has calls beside its text, its items are returned, because the text alone would lose them.
 *
 * @param soundFormat the requested audio format: `wav`
 * @param isStreamed whether it was streamed: events have no text of a whole response, only its items
 */
export function readOutput(response: Fields, soundFormat = 'wav', isStreamed = false): unknown {
  const { output, choices, text } = response
  if (Array.isArray(output)) {
    const items = output.map(asRecord)
    return isStreamed ? recordedItems(items) : readItems(items, asString(response.output_text))
  }
  const [first] = asArray(choices).map(asRecord)
  if (!first) return text
  if (first.message) return toServiceMessage(asRecord(first.message), soundFormat)
  if (first.delta) return readDelta(asRecord(first.delta), soundFormat)
  return first.text
}

function readItems(items: readonly Fields[], outputText: string | undefined): unknown {
  const text = outputText ?? items.flatMap(readTexts).join('')
  return text !== '' && !items.some(isCall) ? text : recordedItems(items)
}

function recordedItems(items: readonly Fields[]): unknown {
  const itemsToRecord = items.map(withoutSealedContent)
  return itemsToRecord.length === 1 ? itemsToRecord[0] : itemsToRecord.length > 0 ? itemsToRecord : undefined
}

function readTexts({ content }: Fields): readonly string[] {
  return asArray(content).flatMap((part) => {
    const { type, text } = asRecord(part)
    return type === 'output_text' ? (asString(text) ?? []) : []
  })
}

function isCall({ type }: Fields): boolean {
  return type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_call'
}

/** Removes base64 images and encrypted reasoning. */
function withoutSealedContent({ result, encrypted_content: _, ...item }: Fields): Fields {
  return withoutEmpty({ ...item, result: typeof result === 'string' ? undefined : result })
}

function readDelta(delta: Fields, soundFormat: string): unknown {
  const { content = '', ...more } = withoutEmpty(delta)
  return Object.keys(more).length === 0 ? content : toServiceMessage({ role: 'assistant', ...delta }, soundFormat)
}

/** Converts a message: the service rejects messages with empty fields, and calls without an id or a name. */
function toServiceMessage(message: Fields, soundFormat: string): Fields {
  const { tool_calls, audio, ...fields } = message
  const calls = asArray(tool_calls).map((call, index) => toServiceToolCall(asRecord(call), index))
  return {
    // Without a content the message is that of its calls.
    ...(fields.content === null && calls.length > 0 && { content: null }),
    ...withoutEmpty({
      ...fields,
      audio: isObject(audio) ? toServiceAudio(audio, soundFormat) : undefined,
      tool_calls: calls,
    }),
  }
}

function toServiceAudio(audio: Fields, format: string): Fields {
  return withoutEmpty({ ...audio, data: asString(audio.data) && dataUri(`audio/${format}`, audio.data) })
}

function toServiceToolCall({ id, function: called, custom }: Fields, index: number): Fields {
  const { name, arguments: input, input: text } = asRecord(called ?? custom)
  return { id: asName(id) ?? `call_${index}`, type: 'function', function: { name, arguments: input ?? text ?? '' } }
}

function withoutEmpty(fields: Fields): Fields {
  const entries = Object.entries(fields).filter(([, value]) => {
    return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
  })
  return Object.fromEntries(entries)
}

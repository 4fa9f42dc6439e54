import { asArray, asName, asNumber, asRecord, type Fields, isMethod, isObject } from '../gen-ai/read.ts'
import { withWireNames } from '../gen-ai/wire.ts'
import { toWireMessage, toWireResponse, toWireUsage } from '../openai/wire.ts'

// Translates Mistral's variant of the Chat Completions API.

export function toOpenAiRequest(request: Fields): Fields {
  const { random_seed, response_format, ...rest } = withWireNames(request)
  return {
    ...rest,
    messages: asArray(request.messages).map(toWireMessage),
    seed: random_seed,
    // A Zod schema, if the response is to be parsed.
    response_format: isMethod(asRecord(response_format).safeParse) ? { type: 'json_schema' } : response_format,
  }
}

export function toOpenAiResponse(response: Fields): Fields {
  const usage = toOpenAiUsage(response.usage)
  return { ...toWireResponse(response), usage, service_tier: usage?.service_tier }
}

export function createEventTranslator(): (event: Fields) => Fields {
  const indexOf = createIndexer()
  return ({ data }) => {
    const chunk = toOpenAiResponse(asRecord(data))
    const choices = asArray(chunk.choices).map(asRecord)
    for (const { delta } of choices) {
      const { tool_calls } = asRecord(delta)
      const placed = asArray(tool_calls).map((call) => ({ ...asRecord(call), index: indexOf(asRecord(call)) }))
      if (tool_calls) Object.assign(asRecord(delta), { tool_calls: placed })
    }
    // The last event has the token counts, if there are any: an empty usage avoids the warning about missing ones.
    const ends = choices.some(({ finish_reason }) => finish_reason)
    return ends && chunk.usage === undefined ? { ...chunk, usage: {} } : chunk
  }
}

/**
 * Assigns indexes to tool calls, which arrive whole. If the server sends no index, the library sets 0 for all of them.
 */
function createIndexer(): (call: Fields) => number {
  const ids: string[] = []
  return (call) => {
    const [callId, index] = [asName(call.id), asNumber(call.index) ?? 0]
    // The library's value for no id.
    if (callId === undefined || callId === 'null' || index >= TOOL_CALL_LIMIT) return index
    const existing = ids.indexOf(callId)
    if (existing >= 0) return existing
    if (ids[index] !== undefined) return ids.push(callId) - 1
    ids[index] = callId
    return index
  }
}

/** Most tool calls of one response. */
const TOOL_CALL_LIMIT = 128

export function toOpenAiUsage(usage: unknown): Fields | undefined {
  if (!isObject(usage)) return undefined
  const { additionalProperties, ...known } = usage
  // Fields that a version does not know are passed here or in `additionalProperties`.
  return toWireUsage({ ...known, ...asRecord(additionalProperties) })
}

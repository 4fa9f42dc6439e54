import { asArray, asName, asNumber, asRecord, defined, type Fields, isMethod, isObject } from '../gen-ai/read.ts'
import { onWire } from '../gen-ai/wire.ts'
import { answerOnWire, messageOnWire, usageOnWire } from '../openai/on-wire.ts'

// What is Mistral's own in the Chat Completions protocol.

export function requestInWords(request: Fields): Fields {
  const { random_seed, response_format, ...rest } = onWire(request)
  return {
    ...rest,
    messages: asArray(request.messages).map(messageOnWire),
    seed: random_seed,
    // A schema of Zod, where the answer is to be parsed.
    response_format: isMethod(asRecord(response_format).safeParse) ? { type: 'json_schema' } : response_format,
  }
}

export function answerInWords(answer: Fields): Fields {
  return { ...answerOnWire(answer), usage: usageInWords(answer.usage) }
}

/** What puts the events of one stream in those words. */
export function eventsInWords(): (event: Fields) => Fields {
  const placeOf = placing()
  return ({ data }) => {
    const words = answerInWords(asRecord(data))
    const choices = asArray(words.choices).map(asRecord)
    for (const { delta } of choices) {
      const { tool_calls } = asRecord(delta)
      const placed = asArray(tool_calls).map((call) => ({ ...asRecord(call), index: placeOf(asRecord(call)) }))
      if (tool_calls) Object.assign(asRecord(delta), { tool_calls: placed })
    }
    // Whoever stops is told the counts in the same event, or never.
    const ends = choices.some(({ finish_reason }) => finish_reason)
    return ends && words.usage === undefined ? { ...words, usage: {} } : words
  }
}

/** Tool calls come whole, and where the server gives them no places, the library gives all of them the first. */
function placing(): (call: Fields) => number {
  const ids: string[] = []
  return ({ id, index }) => {
    const [own, place] = [asName(id), asNumber(index) ?? 0]
    // The library's word for none.
    if (own === undefined || own === 'null' || place >= PLACES) return place
    const known = ids.indexOf(own)
    if (known >= 0) return known
    if (ids[place] !== undefined) return ids.push(own) - 1
    ids[place] = own
    return place
  }
}

/** No answer has more tool calls. */
const PLACES = 128

export function usageInWords(usage: unknown): Fields | undefined {
  if (!isObject(usage)) return undefined
  const { additionalProperties, ...own } = usage
  // What a version has no name for it passes on, here or apart.
  const counts = usageOnWire({ ...own, ...asRecord(additionalProperties) })
  const { prompt_tokens_details, num_cached_tokens: cached_tokens } = asRecord(counts)
  return { ...counts, prompt_tokens_details: prompt_tokens_details ?? defined({ cached_tokens }) }
}

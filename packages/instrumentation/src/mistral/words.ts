import {
  asArray,
  asName,
  asNumber,
  asRecord,
  asString,
  defined,
  type Fields,
  isMethod,
  isObject,
} from '../gen-ai/read.ts'

// What Mistral's library says, in the words of the Chat Completions protocol, which is what it sends. The library has
// other names for everything.

export function requestInWords(request: Fields): Fields {
  const { messages, maxTokens, topP, randomSeed, frequencyPenalty, presencePenalty, responseFormat, ...rest } = request
  const { toolChoice, parallelToolCalls } = request
  return {
    ...rest,
    messages: asArray(messages).map((message) => messageInWords(asRecord(message))),
    max_tokens: maxTokens,
    top_p: topP,
    seed: randomSeed,
    frequency_penalty: frequencyPenalty,
    presence_penalty: presencePenalty,
    tool_choice: toolChoice,
    parallel_tool_calls: parallelToolCalls,
    // A schema of Zod, where the answer is to be parsed.
    response_format: isMethod(asRecord(responseFormat).safeParse) ? { type: 'json_schema' } : responseFormat,
  }
}

export function answerInWords({ id, model, choices, usage }: Fields): Fields {
  const said = asArray(choices).map((choice) => {
    const { index, message, delta, finishReason } = asRecord(choice)
    const words = messageInWords(asRecord(message ?? delta))
    return { index, message: words, delta: words, finish_reason: finishReason }
  })
  return { id, model, choices: said, usage: usageInWords(usage) }
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
  // What a version has no name for it passes on, here or apart.
  const { prompt_tokens_details, num_cached_tokens } = { ...usage, ...asRecord(usage.additionalProperties) } as Fields
  const cached_tokens = asRecord(prompt_tokens_details).cached_tokens ?? num_cached_tokens
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    prompt_tokens_details: defined({ cached_tokens }),
  }
}

function messageInWords({ content, toolCalls, toolCallId, ...message }: Fields): Fields {
  const parts = Array.isArray(content) ? content.map(asRecord) : undefined
  const thoughts = parts?.filter(({ type }) => type === 'thinking')
  return defined({
    ...message,
    content: parts ? wholeOf(parts.filter(({ type }) => type !== 'thinking').map(partInWords)) : content,
    reasoning_content: thoughts?.flatMap(({ thinking }) => asArray(thinking).map(thoughtOf)).join('') || undefined,
    tool_calls: toolCalls,
    tool_call_id: toolCallId,
  })
}

/** Pieces of a stream are texts. */
function wholeOf(parts: readonly Fields[]): unknown {
  return parts.every(({ type }) => type === 'text') ? parts.map(({ text }) => asString(text) ?? '').join('') : parts
}

function partInWords({ imageUrl, inputAudio, ...part }: Fields): Fields {
  return defined({ ...part, image_url: imageUrl, input_audio: inputAudio })
}

function thoughtOf(thought: unknown): string {
  return asString(thought) ?? asString(asRecord(thought).text) ?? ''
}

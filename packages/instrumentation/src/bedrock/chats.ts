import { asArray, asName, asRecord, type Fields } from '../gen-ai/read.ts'
import { type Reader, translated } from '../gen-ai/reader.ts'
import { chat as openaiChat } from '../openai/chat.ts'

/** Models that speak as OpenAI's do. Mistral's say `stop_reason`, and have whole messages in their events. */
export const chat: Reader = translated(openaiChat, { request: asItIs, answer: chatAnswer })

/** Command R: what was said before stands apart from the message, and the answer is a text. */
export const command: Reader = translated(openaiChat, {
  request: commandRequest,
  answer: commandAnswer,
  events: () => commandEvent,
})

function asItIs(body: Fields): Fields {
  return body
}

function chatAnswer(body: Fields): Fields {
  const choices = asArray(body.choices).map((choice) => {
    const { message, stop_reason, ...rest } = asRecord(choice)
    return { message, delta: message, finish_reason: stop_reason, ...rest }
  })
  return { ...body, choices, usage: counted(body.usage, choices) }
}

const ROLES: Readonly<Record<string, string>> = { USER: 'user', CHATBOT: 'assistant', SYSTEM: 'system', TOOL: 'tool' }

function commandRequest({ message, chat_history, preamble, tools, tool_results, ...body }: Fields): Fields {
  const before = asArray(chat_history).map((said) => {
    const { role, message: content, tool_calls } = asRecord(said)
    return { role: ROLES[asName(role) ?? ''] ?? 'user', content, tool_calls: callsOf(tool_calls) }
  })
  const messages = [
    ...(preamble ? [{ role: 'system', content: preamble }] : []),
    ...before,
    ...(message ? [{ role: 'user', content: message }] : []),
    ...asArray(tool_results).map((result) => ({ role: 'tool', content: { outputs: asRecord(result).outputs } })),
  ]
  return { ...body, messages, tools, top_p: body.p, stop: body.stop_sequences }
}

function commandAnswer({ generation_id, response_id, text, tool_calls, finish_reason, meta }: Fields): Fields {
  const choices = [{ message: { content: text || undefined, tool_calls: callsOf(tool_calls) }, finish_reason }]
  return { id: generation_id ?? response_id, choices, usage: usageOf(meta) }
}

function commandEvent({ event_type, text, tool_calls, finish_reason, generation_id, response }: Fields): Fields {
  const { response_id, meta } = asRecord(response)
  const delta = {
    // The last event repeats everything.
    content: event_type === 'text-generation' ? text : undefined,
    tool_calls: event_type === 'tool-calls-generation' ? callsOf(tool_calls) : undefined,
  }
  const choices = [{ delta, finish_reason }]
  return { id: generation_id ?? response_id, choices, usage: counted(usageOf(meta), choices) }
}

function usageOf(meta: unknown): unknown {
  return asRecord(meta).tokens ?? asRecord(meta).billed_units
}

function callsOf(calls: unknown): Fields[] | undefined {
  if (!calls) return undefined
  return asArray(calls).map((call) => {
    const { name, parameters } = asRecord(call)
    return { type: 'function', function: { name, arguments: JSON.stringify(parameters) } }
  })
}

/** Bedrock has the counts where a vendor has not: once there is an end, the reader need not miss them. */
function counted(usage: unknown, choices: readonly Fields[]): unknown {
  return usage ?? (choices.some(({ finish_reason }) => finish_reason) ? {} : undefined)
}

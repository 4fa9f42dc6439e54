import { answerTo, isReasoning, pieces, REASONING_TOKENS, textOf, tokens } from './answer.js'
import { listOfObjects } from './http.js'

/** `POST /v1/chat/completions` */
export function chat(body, serial) {
  const messages = listOfObjects(body.messages, 'messages')
  const choices = Array.from({ length: Math.min(body.n ?? 1, 8) }, (_, index) =>
    choiceOf(body, messages, index, serial),
  )
  const base = { id: `chatcmpl-${serial}`, created: Math.floor(Date.now() / 1_000), model: body.model }
  const usage = usageOf(body, choices)
  if (body.stream) return { events: chunks(base, choices, body.stream_options?.include_usage ? usage : undefined) }
  return { json: { ...base, object: 'chat.completion', choices, usage, system_fingerprint: null } }
}

/** The same of Groq, which counts the tokens of a stream unasked, and in a place of its own. */
export function groqChat(body, serial) {
  const whole = chat({ ...body, stream: false }, serial)
  if (!body.stream) return whole
  const { events } = chat({ ...body, stream_options: undefined }, serial)
  return { events: withUsage(events, { id: `req_${serial}`, usage: whole.json.usage }) }
}

function* withUsage(events, x_groq) {
  for (const event of events) yield event.choices?.[0].finish_reason ? { ...event, x_groq } : event
}

function choiceOf(body, messages, index, serial) {
  const last = messages.at(-1)
  const { text, calls, end } = answerTo({
    model: body.model,
    prompt: textOf(messages.findLast(({ role }) => role === 'user')?.content),
    lastRole: last?.role,
    results: last?.role === 'tool' ? resultsOf(messages) : [],
    tools: body.tools,
    schema: body.response_format?.json_schema?.schema,
    variant: index,
  })
  const toolCalls = calls.map((call, at) => ({ id: `call_${serial}_${at}`, type: 'function', function: call }))
  const content = end === 'refused' ? { content: null, refusal: text } : { content: text || null, refusal: null }
  const message = { role: 'assistant', ...content }
  if (toolCalls.length > 0) message.tool_calls = toolCalls
  return {
    index,
    message,
    logprobs: null,
    finish_reason: FINISHES[end] ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
  }
}

const FINISHES = { truncated: 'length', filtered: 'content_filter' }

/** What the tools said since the assistant last spoke. */
function resultsOf(messages) {
  const spoke = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(spoke + 1).map(({ content }) => textOf(content))
}

function usageOf(body, choices) {
  const prompt = tokens(JSON.stringify(body.messages ?? ''))
  const reasoning = isReasoning(body.model) ? REASONING_TOKENS : 0
  const said = choices.map(({ message }) =>
    tokens((message.content ?? message.refusal ?? '') + JSON.stringify(message.tool_calls ?? '')),
  )
  const completion = said.reduce((sum, count) => sum + count, 0) + reasoning
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: Math.floor(prompt / 2), audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  }
}

function* chunks(base, choices, usage) {
  const chunk = (index, delta, finish_reason = null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index, delta, logprobs: null, finish_reason }],
  })
  for (const { index, message, finish_reason } of choices) {
    yield chunk(index, { role: 'assistant', content: message.tool_calls ? null : '' })
    for (const content of pieces(message.content ?? '')) yield chunk(index, { content })
    for (const refusal of pieces(message.refusal ?? '')) yield chunk(index, { refusal })
    for (const [at, call] of (message.tool_calls ?? []).entries()) yield* callChunks(chunk, index, at, call)
    yield chunk(index, {}, finish_reason)
  }
  if (usage) yield { ...base, object: 'chat.completion.chunk', choices: [], usage }
  yield '[DONE]'
}

/** A tool call arrives as its name, then its arguments bit by bit. */
function* callChunks(chunk, index, at, { id, type, function: called }) {
  yield chunk(index, { tool_calls: [{ index: at, id, type, function: { name: called.name, arguments: '' } }] })
  for (const part of called.arguments.match(/.{1,5}/gs) ?? []) {
    yield chunk(index, { tool_calls: [{ index: at, function: { arguments: part } }] })
  }
}

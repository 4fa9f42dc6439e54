import { answerTo, pieces, textOf, tokens } from './answer.js'
import { vectorOf } from './embeddings.js'
import { listOfObjects } from './http.js'

/** `POST /v2/chat` */
export function chat(body, serial) {
  const asked = listOfObjects(body.messages, 'messages')
  const last = asked.at(-1)
  const spoke = asked.findLastIndex(({ role }) => role === 'assistant')
  const { text, calls, end } = answerTo({
    model: body.model,
    prompt: textOf(asked.findLast(({ role }) => role === 'user')?.content),
    lastRole: last.role,
    results: last.role === 'tool' ? asked.slice(spoke + 1).map(({ content }) => textOf(content)) : [],
    tools: body.tools,
    schema: body.response_format?.json_schema ?? body.response_format?.schema,
  })
  const message = { role: 'assistant' }
  if (text) message.content = [{ type: 'text', text }]
  if (calls.length > 0) {
    message.tool_plan = 'I will look the weather up.'
    message.tool_calls = calls.map((call, at) => ({ id: `call_${serial}_${at}`, type: 'function', function: call }))
  }
  const finish_reason = end === 'truncated' ? 'MAX_TOKENS' : calls.length > 0 ? 'TOOL_CALL' : 'COMPLETE'
  const answer = { id: `cohere-${serial}`, finish_reason, message, usage: usageOf(body, message) }
  return body.stream ? { events: eventsOf(answer) } : { json: answer }
}

/** `POST /v2/embed` */
export function embed(body, serial) {
  const texts = body.texts ?? []
  const embeddings = { float: texts.map((text) => vectorOf(text, 8)) }
  const input_tokens = texts.reduce((sum, text) => sum + tokens(text), 0)
  const meta = { api_version: { version: '2' }, billed_units: { input_tokens } }
  return { json: { id: `cohere-${serial}`, embeddings, texts, meta, response_type: 'embeddings_by_type' } }
}

/** `POST /v2/rerank` */
export function rerank(body, serial) {
  const results = (body.documents ?? []).map((_, index) => ({ index, relevance_score: 1 / (index + 1) }))
  const meta = { api_version: { version: '2' }, billed_units: { search_units: 1 } }
  return { json: { id: `cohere-${serial}`, results: results.slice(0, body.top_n), meta } }
}

export const refusal = ({ message }) => ({ message })

function usageOf(body, message) {
  const counts = { input_tokens: tokens(JSON.stringify(body.messages)), output_tokens: tokens(JSON.stringify(message)) }
  return { billed_units: counts, tokens: counts, cached_tokens: Math.floor(counts.input_tokens / 2) }
}

function* eventsOf({ id, message, finish_reason, usage }) {
  const { role, content = [], tool_plan, tool_calls = [] } = message
  yield { type: 'message-start', id, delta: { message: { role, content: [], tool_plan: '', tool_calls: [] } } }
  for (const word of pieces(tool_plan ?? '')) {
    yield { type: 'tool-plan-delta', delta: { message: { tool_plan: word } } }
  }
  for (const [index, part] of content.entries()) {
    yield { type: 'content-start', index, delta: { message: { content: { type: 'text', text: '' } } } }
    for (const text of pieces(part.text)) {
      yield { type: 'content-delta', index, delta: { message: { content: { text } } } }
    }
    yield { type: 'content-end', index }
  }
  for (const [index, { function: called, ...call }] of tool_calls.entries()) {
    const begun = { ...call, function: { name: called.name, arguments: '' } }
    yield { type: 'tool-call-start', index, delta: { message: { tool_calls: begun } } }
    for (const part of called.arguments.match(/.{1,5}/gs)) {
      yield { type: 'tool-call-delta', index, delta: { message: { tool_calls: { function: { arguments: part } } } } }
    }
    yield { type: 'tool-call-end', index }
  }
  yield { type: 'message-end', id, delta: { finish_reason, usage } }
}

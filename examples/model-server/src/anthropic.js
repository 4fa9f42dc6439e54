import { answerTo, pieces, textOf, tokens } from './answer.js'
import { listOfObjects } from './http.js'

/** `POST /v1/messages` */
export function messages(body, serial) {
  const asked = listOfObjects(body.messages, 'messages')
  const { content, end } = contentOf(body, asked, serial)
  const message = {
    id: `msg_${serial}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    stop_reason: STOPS[end] ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: usageOf(body, content),
  }
  return body.stream ? { events: eventsOf(message) } : { json: message }
}

/** Its filter, too, calls what it stops a refusal. */
const STOPS = { truncated: 'max_tokens', filtered: 'refusal', refused: 'refusal' }

export function refusal({ message, type }) {
  return { type: 'error', error: { type, message }, request_id: null }
}

function contentOf(body, asked, serial) {
  const last = asked.at(-1)
  const results = [last.content].flat().filter((block) => block?.type === 'tool_result')
  const { text, calls, end } = answerTo({
    model: body.model,
    prompt: asked.map(({ role, content }) => (role === 'user' ? textOf(content) : '')).findLast((said) => said) ?? '',
    lastRole: results.length > 0 ? 'tool' : last.role,
    results: results.map(({ content }) => textOf(content)),
    tools: body.tools?.map(({ name, input_schema }) => ({ name, parameters: input_schema })),
    schema: (body.output_config?.format ?? body.output_format)?.schema,
  })
  const thought = { type: 'thinking', thinking: 'The user wants a short answer.', signature: 'c2VhbGVk' }
  const content = [
    ...(body.thinking?.type === 'enabled' ? [thought] : []),
    ...(text ? [{ type: 'text', text, citations: null }] : []),
    ...calls.map((call, at) => {
      return { type: 'tool_use', id: `toolu_${serial}_${at}`, name: call.name, input: JSON.parse(call.arguments) }
    }),
  ]
  return { content, end }
}

/** The real service counts what was cached apart from the input. */
function usageOf(body, content) {
  const prompt = tokens(JSON.stringify([body.system, body.messages]))
  const cache_read_input_tokens = Math.floor(prompt / 2)
  const cache_creation_input_tokens = Math.floor(prompt / 4)
  return {
    input_tokens: prompt - cache_read_input_tokens - cache_creation_input_tokens,
    cache_creation_input_tokens,
    cache_read_input_tokens,
    output_tokens: tokens(JSON.stringify(content)),
    service_tier: 'standard',
  }
}

/** The events of a streamed message in the order of the real protocol, with a ping among them. */
function* eventsOf({ content, stop_reason, usage, ...message }) {
  const begun = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  yield { type: 'message_start', message: begun }
  yield { type: 'ping' }
  for (const [index, block] of content.entries()) {
    yield { type: 'content_block_start', index, content_block: emptied(block) }
    for (const delta of deltasOf(block)) yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
  }
  const delta = { stop_reason, stop_sequence: null }
  yield { type: 'message_delta', delta, usage: { output_tokens: usage.output_tokens } }
  yield { type: 'message_stop' }
}

function emptied(block) {
  if (block.type === 'text') return { ...block, text: '' }
  return block.type === 'tool_use' ? { ...block, input: {} } : { ...block, thinking: '', signature: '' }
}

function* deltasOf(block) {
  if (block.type === 'text') for (const text of pieces(block.text)) yield { type: 'text_delta', text }
  if (block.type === 'tool_use') {
    yield { type: 'input_json_delta', partial_json: '' }
    for (const part of JSON.stringify(block.input).match(/.{1,5}/gs)) {
      yield { type: 'input_json_delta', partial_json: part }
    }
  }
  if (block.type === 'thinking') {
    for (const thinking of pieces(block.thinking)) yield { type: 'thinking_delta', thinking }
    yield { type: 'signature_delta', signature: block.signature }
  }
}

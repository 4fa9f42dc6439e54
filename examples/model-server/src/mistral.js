import { pieces } from './answer.js'
import { chat as openaiChat } from './chat.js'
import { embeddings as openaiEmbeddings } from './embeddings.js'

/** `POST /mistral/v1/chat/completions`: as OpenAI has it, but for tool calls, which come in one piece, and for the end. */
export function chat({ stream, ...body }, serial) {
  const { json } = openaiChat(body, serial)
  const { prompt_tokens_details: details, completion_tokens_details: _, ...usage } = json.usage
  json.usage = /cached$/.test(body.model) ? { ...usage, prompt_tokens_details: details } : usage
  // The first versions of the library insist on it.
  for (const { message } of json.choices) message.prefix = false
  return stream ? { events: eventsOf(json) } : { json }
}

function* eventsOf({ choices, usage, ...base }) {
  const chunk = (index, delta, finish_reason = null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index, delta, finish_reason }],
  })
  for (const { index, message, finish_reason } of choices) {
    yield chunk(index, { role: 'assistant', content: '' })
    for (const content of pieces(message.content ?? '')) yield chunk(index, { content })
    const { tool_calls } = message
    yield { ...chunk(index, { content: '', ...(tool_calls ? { tool_calls } : {}) }, finish_reason), usage }
  }
  yield '[DONE]'
}

/** `POST /mistral/v1/fim/completions`: a prompt and what stands behind it, and the answer is that of a chat. */
export function fim({ prompt, suffix, ...body }, serial) {
  return chat({ ...body, messages: [{ role: 'user', content: prompt }] }, serial)
}

/** `POST /mistral/v1/ocr`: every document is one page. */
export function ocr({ model }) {
  const pages = [{ index: 0, markdown: '# A page', images: [], dimensions: null }]
  return { json: { model, pages, usage_info: { pages_processed: 1, doc_size_bytes: 100 } } }
}

/** `POST /mistral/v1/embeddings`: as OpenAI has it, and with an id. */
export function embeddings(body, serial) {
  const { json } = openaiEmbeddings(body, serial)
  return { json: { id: `embd-${serial}`, ...json, usage: { ...json.usage, completion_tokens: 0 } } }
}

export const refusal = ({ message, type }) => ({ object: 'error', message, type, param: null, code: null })

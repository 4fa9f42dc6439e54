import { chat as openaiChat } from './chat.js'
import { embeddings as openaiEmbeddings } from './embeddings.js'

/** `POST /mistral/v1/chat/completions`: as OpenAI has it, and a stream always ends with the counts. */
export function chat(body, serial) {
  return openaiChat({ ...body, stream_options: { include_usage: true } }, serial)
}

/** `POST /mistral/v1/fim/completions`: a prompt and what stands behind it, and the answer is that of a chat. */
export function fim({ prompt, suffix, ...body }, serial) {
  return chat({ ...body, messages: [{ role: 'user', content: prompt }] }, serial)
}

/** `POST /mistral/v1/embeddings`: as OpenAI has it, and with an id. */
export function embeddings(body, serial) {
  const { json } = openaiEmbeddings(body, serial)
  return { json: { id: `embd-${serial}`, ...json } }
}

export const refusal = ({ message, type }) => ({ object: 'error', message, type, param: null, code: null })

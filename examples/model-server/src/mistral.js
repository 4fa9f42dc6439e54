import { chat as openaiChat } from './chat.js'
import { embeddings as openaiEmbeddings } from './embeddings.js'

/** `POST /mistral/v1/chat/completions`: as OpenAI has it, and a stream always ends with the counts. */
export function chat(body, serial) {
  return openaiChat({ ...body, stream_options: { include_usage: true } }, serial)
}

/** `POST /mistral/v1/embeddings`: as OpenAI has it, and with an id. */
export function embeddings(body, serial) {
  const { json } = openaiEmbeddings(body, serial)
  return { json: { id: `embd-${serial}`, ...json } }
}

export const refusal = ({ message, type }) => ({ object: 'error', message, type, param: null, code: null })

import { method, observingCohere } from './client.ts'
import { chat, embeddings } from './words.ts'

/** What observes the calls of the second version of the API of `cohere-ai`. */
export const observing = observingCohere([
  method('chat', chat, false),
  method('chatStream', chat, true),
  method('embed', embeddings, false),
])

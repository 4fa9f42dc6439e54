import { method, observingCohere } from '../client.ts'
import { command, embeddings, generate } from '../words.ts'

/** What observes the calls of the first version of the API of `cohere-ai`: the methods of `CohereClient` itself. */
export const observing = observingCohere([
  method('chat', command, false),
  method('chatStream', command, true),
  method('generate', generate, false),
  method('generateStream', generate, true),
  method('embed', embeddings, false),
])

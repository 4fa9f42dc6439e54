import type { Library } from '../stainless/operation.ts'
import { chat } from './chat.ts'
import { completions } from './completions.ts'
import { embeddings } from './embeddings.ts'
import { images } from './images.ts'
import { responses } from './responses.ts'

export const openai: Library = {
  scope: '@svc/instrumentation-openai',
  provider: 'openai',
  operations: [chat, responses, embeddings, completions, images],
}

import { observing as observingClient } from '../stainless/observed.ts'
import { chat } from './chat.ts'
import { completions } from './completions.ts'
import { embeddings } from './embeddings.ts'
import { images } from './images.ts'
import { responses } from './responses.ts'
import { speech } from './speech.ts'
import { transcriptions } from './transcriptions.ts'

/** What observes the calls of `openai`. */
export const observing = observingClient({
  scope: '@svc/instrumentation-openai',
  provider: 'openai',
  operations: [chat, responses, embeddings, completions, images, transcriptions, speech],
})

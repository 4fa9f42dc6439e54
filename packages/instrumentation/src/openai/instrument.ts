import { helperWrappers } from '../stainless/helpers.ts'
import { createClientWrappers } from '../stainless/wrap-client.ts'
import { batches } from './batches.ts'
import { chat } from './chat.ts'
import { completions } from './completions.ts'
import { embeddings } from './embeddings.ts'
import { images } from './images.ts'
import { responses } from './responses.ts'
import { speech } from './speech.ts'
import { threadRuns } from './thread-runs.ts'
import { responsesRunnerWrappers, runToolsWrappers } from './tool-runner.ts'
import { transcriptions } from './transcriptions.ts'

/** Wraps the methods of `openai`. */
export const wrappers = {
  ...createClientWrappers({
    scope: '@svc/instrumentation-openai',
    provider: 'openai',
    operations: [chat, responses, embeddings, completions, images, transcriptions, speech, batches, threadRuns],
  }),
  ...helperWrappers,
  ...runToolsWrappers,
  ...responsesRunnerWrappers,
}

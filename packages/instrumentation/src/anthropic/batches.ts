import { batches as openaiBatches } from '../openai/batches.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'

/** `messages.batches`: `create`, `retrieve` and `results`. */
export const batches: ModelEndpoint = {
  ...openaiBatches,
  path: /\/messages\/batches$/,
  statePath: /\/messages\/batches\/[^/]+$/,
  resultsPath: /\/messages\/batches\/([^/]+)\/results$/,
}

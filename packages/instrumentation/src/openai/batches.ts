import { readBatch, readBatchJob, readBatchRequest } from '../jobs/batch.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { NO_STREAM } from './embeddings.ts'

/** `batches`: `create`, `retrieve`, and `files.content` of what a batch has written. */
export const batches: ModelEndpoint = {
  name: '',
  title: 'batch',
  isUnobserved: true,
  path: /\/batches$/,
  statePath: /\/batches\/[^/]+$/,
  resultsPath: /\/files\/([^/]+)\/content$/,
  readParameters: () => ({}),
  readRequest: (body) => readBatchRequest(body),
  readResponse: (state) => readBatch(state),
  readJob: (state) => readBatchJob(state),
  createAccumulator: () => NO_STREAM,
}

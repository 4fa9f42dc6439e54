import { GEN_AI } from '@svc/core/attributes'
import { describeResponseFailure } from '../gen-ai/failure.ts'
import { asName, asRecord, type Fields } from '../gen-ai/read.ts'
import { isOverStatus, type Job } from '../jobs/job.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { chat } from './chat.ts'

/** Perplexity's `async.chat.completions`: a request that is answered later, to whoever asks for it. */
export const asyncChat: ModelEndpoint = {
  ...chat,
  isUnobserved: true,
  path: /\/async\/chat\/completions$/,
  statePath: /\/async\/chat\/completions\/[^/]+$/,
  readJob,
  readParameters: ({ request }) => {
    const { model, ...parameters } = asRecord(request)
    return { [GEN_AI.REQUEST_MODEL]: asName(model), ...chat.readParameters(parameters) }
  },
  readRequest: ({ request }) => chat.readRequest(asRecord(request)),
  readResponse: ({ id, model, status, response, error_message }) => ({
    ...chat.readResponse({ id, model, ...asRecord(response) }),
    ...(status === 'FAILED' && { failure: describeResponseFailure({ message: error_message }) }),
  }),
}

function readJob({ id, status }: Fields): Job | undefined {
  return typeof id === 'string' ? { id, isOver: isOverStatus(status) } : undefined
}

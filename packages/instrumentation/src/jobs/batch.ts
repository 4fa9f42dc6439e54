import type { RequestContent, ResponseContent } from '../gen-ai/content.ts'
import { describeResponseFailure } from '../gen-ai/failure.ts'
import { asArray, asName, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { isOverStatus, type Job, type JobReader } from './job.ts'

// Batches of all vendors. Their requests are made by the vendor, later and for another price: a batch is no generation,
// and its tokens are in what the vendor says of it, which is the output.

export const BATCHES = { title: 'batch', readJob: readBatchJob, readResponse: readBatch } satisfies JobReader

/** The request as it is: a file by its id, or all requests of the batch. */
export const readBatchRequest = (body: Fields): RequestContent => ({ input: body })

export function readBatchJob(answer: Fields): Job | undefined {
  const state = stateIn(answer)
  const id = asName(state.id ?? state.name)
  return id === undefined ? undefined : { id, isOver: isOverStatus(statusOf(state)), results: resultsOf(state) }
}

export function readBatch(answer: Fields): ResponseContent {
  const state = stateIn(answer)
  const { id, name, errors, error } = state
  const status = statusOf(state)
  const [first = error] = asArray(asRecord(errors).data ?? errors)
  return {
    result: answer,
    metadata: defined({
      batch_id: asName(id ?? name),
      batch_status: asName(status),
      request_counts: countsOf(state),
      input_files: inputsOf(state),
      output_files: resultsOf(state),
    }),
    failure: /failed$/i.test(String(status))
      ? describeResponseFailure(isObject(first) ? first : { message: first })
      : undefined,
  }
}

/** Together has a warning beside the first state. */
const stateIn = (answer: Fields): Fields => asRecord(answer.job ?? answer)

const statusOf = ({ status, processing_status, state }: Fields): unknown => status ?? processing_status ?? state

/** As OpenAI and Anthropic, Google, and Mistral have them. */
function countsOf({ request_counts, completionStats, dest, totalRequests, ...state }: Fields): unknown {
  if (totalRequests === undefined) return request_counts ?? completionStats ?? countInlined(asRecord(dest))
  const { completedRequests, succeededRequests, failedRequests } = state
  return {
    total: totalRequests,
    completed: completedRequests,
    succeeded: succeededRequests,
    failed: failedRequests,
  }
}

function countInlined({ inlinedResponses }: Fields): unknown {
  if (!Array.isArray(inlinedResponses)) return undefined
  const failed = inlinedResponses.filter((response) => asRecord(response).error !== undefined).length
  return { total: inlinedResponses.length, failed }
}

const inputsOf = ({ input_file_id, inputFiles, src }: Fields) =>
  idsIn(input_file_id, inputFiles, asRecord(src).fileName)

function resultsOf({ output_file_id, error_file_id, outputFile, errorFile, dest }: Fields) {
  return idsIn(output_file_id, error_file_id, outputFile, errorFile, asRecord(dest).fileName)
}

function idsIn(...values: unknown[]): string[] | undefined {
  const ids = values.flatMap(asArray).flatMap((value) => asName(value) || [])
  return ids.length > 0 ? ids : undefined
}

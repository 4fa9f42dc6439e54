import { context, type Tracer } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { asRecord, type Fields } from '../gen-ai/read.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import { CallSpan } from '../record/call.ts'
import { type JobReader, readResults, type StartJob, updateJob } from './job.ts'

interface JobEndpoint extends Omit<JobReader, 'readJob'>, Partial<Pick<JobReader, 'readJob'>> {
  readonly resultsPath?: RegExp
}

interface JobRequest {
  readonly scope: string
  readonly provider: string
  readonly tracer: Tracer | undefined
  /** The path of the results, if it is not the state that is asked for. */
  readonly results: string | undefined
}

/** Follows a request of `client` for the state of a job, or for its results. */
export function followJob(client: Fields, endpoint: JobEndpoint, request: JobRequest): JobFollower {
  const { readJob = () => undefined, readResponse, title, resultsPath } = endpoint
  const { scope, provider, tracer, results } = request
  const reader: JobReader = { title, readJob, readResponse }
  const at = { scope, isVendors: true, tracer, context: context.active(), startTime: Date.now() }
  const start: StartJob = (more) => new CallSpan({ ...at, ...more, attributes: serverAttributes(client, provider) })
  return new JobFollower((settled) => {
    if (results === undefined) updateJob(reader, asRecord(settled), start)
    else readResults(reader, resultsPath?.exec(results)?.[1], start)
  })
}

class JobFollower {
  isParsing = false
  isCallingParse = false
  readonly promises: object[] = []
  #onState: ((state: unknown) => void) | undefined

  constructor(onState: (state: unknown) => void) {
    this.#onState = onState
  }

  answered(): void {}

  error(): void {}

  /** Only the first call counts: every step of a promise chain passes the same value. */
  value(value: unknown): void {
    const onState = this.#onState
    this.#onState = undefined
    if (onState) attempt('read the state of a job', onState, value)
  }
}

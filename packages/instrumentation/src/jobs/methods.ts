import { context } from '@opentelemetry/api'
import { asRecord, type Fields, type Method } from '../gen-ai/read.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import type { ClientSpec } from '../patch/reader-method.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import { CallSpan } from '../record/call.ts'
import { BATCHES, readBatchRequest } from './batch.ts'
import { beginJob, readResults, type StartJob, updateJob } from './job.ts'

/** The methods of a client for batches that return ordinary promises. */
export interface BatchMethods {
  readonly scope: string
  readonly client: Pick<ClientSpec, 'provider' | 'readAddress'>
  readonly begin: readonly string[]
  readonly ask: string
  readonly download: string
  /** Returns the id of the file that is downloaded. */
  readId(request: Fields): unknown
}

/** Wraps what begins a batch, asks for its state, or reads its results: a batch is one observation. */
export function batchWrappers({ scope, client, begin, ask, download, readId }: BatchMethods): Wrappers {
  const { provider, readAddress } = client
  const serverOf = (owner: unknown) => {
    const address = readAddress?.(asRecord(owner), {})
    return serverAttributes(asRecord(owner), provider, address === undefined ? undefined : String(address))
  }
  const follow = (use: (settled: unknown, args: readonly unknown[], start: StartJob) => void) => (original: Method) =>
    function (this: unknown, ...args: unknown[]) {
      const at = { scope, isVendors: true, context: context.active(), startTime: Date.now() }
      const start: StartJob = (more) => new CallSpan({ ...at, ...more, attributes: serverOf(this) })
      return tapPromise(original.apply(this, args), { value: (settled) => use(settled, args, start), error() {} })
    }
  const begins = begin.map((name) => ({
    name,
    isVendors: true as const,
    describeRequest: (owner: Fields, [request]: readonly unknown[]) => ({
      name: BATCHES.title,
      attributes: serverOf(owner),
      readContent: () => readBatchRequest(asRecord(request)),
    }),
    readResponse: BATCHES.readResponse,
    followResult: (state: Fields, call: CallSpan) => beginJob(BATCHES, state, call),
  }))
  return {
    ...wrapMethods(scope, begins),
    [ask]: follow((state, _, start) => updateJob(BATCHES, asRecord(state), start)),
    [download]: follow((_, [request], start) => readResults(BATCHES, readId(asRecord(request)), start)),
  }
}

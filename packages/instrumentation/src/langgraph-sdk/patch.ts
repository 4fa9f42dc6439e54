import { asRecord, type Fields } from '../gen-ai/read.ts'
import { patchMethods } from '../patch/patch-methods.ts'
import { wrappers } from './instrument.ts'

/** @param exports of the file with the class, or of the package */
export function patchLangGraphSdk(exports: unknown): boolean {
  return patchMethods(findRunsClass(asRecord(exports)), ['create', 'wait', 'stream'], wrappers)
}

/** The package exports a client that creates an instance of the class. */
function findRunsClass({ RunsClient, Client }: Fields): unknown {
  if (RunsClient || typeof Client !== 'function') return RunsClient
  const { runs } = asRecord(Reflect.construct(Client, [{ apiUrl: 'http://127.0.0.1', apiKey: null }]))
  return asRecord(runs).constructor
}

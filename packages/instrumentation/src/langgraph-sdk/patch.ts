import { asRecord, type Fields } from '../gen-ai/read.ts'
import { type Load, patchMethods } from '../patch/patch-methods.ts'

/** @param exports of the file with the class, or of the package */
export function patchLangGraphSdk(exports: unknown, load: Load): boolean {
  return patchMethods(runsOf(asRecord(exports)), ['create', 'wait', 'stream'], () => load().observing)
}

/** The package exports a class that makes one of those we look for. */
function runsOf({ RunsClient, Client }: Fields): unknown {
  if (RunsClient || typeof Client !== 'function') return RunsClient
  const { runs } = asRecord(Reflect.construct(Client, [{ apiUrl: 'http://127.0.0.1', apiKey: null }]))
  return asRecord(runs).constructor
}

import { asRecord, exportOf, isMethod } from '../gen-ai/read.ts'
import { patchMember, patchMethods } from '../patch/patch-methods.ts'
import { wrappers } from './instrument.ts'

/** @param exports of the package, or of the file whose functions every client binds to itself */
export function patchReplicate(exports: unknown): boolean {
  const { create, cancel } = asRecord(exports)
  if (isMethod(create) && isMethod(cancel)) {
    return patchMember(exports, 'create', wrappers)
  }
  return patchMethods(exportOf(exports, 'Replicate'), ['run', 'stream', 'wait'], wrappers)
}

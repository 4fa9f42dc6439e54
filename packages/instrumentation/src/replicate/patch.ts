import { asRecord, exportOf, isMethod } from '../gen-ai/read.ts'
import { type Load, lazily, patchMethods } from '../patch/patch-methods.ts'
import { replaceMethod } from '../patch/replace-method.ts'

/** @param exports of the package, or of the file whose functions every client binds to itself */
export function patchReplicate(exports: unknown, load: Load): boolean {
  const { create, cancel } = asRecord(exports)
  if (isMethod(create) && isMethod(cancel)) {
    return replaceMethod(exports, 'create', (own) => lazily(own, () => load().observing.create?.(own)))
  }
  return patchMethods(exportOf(exports, 'Replicate'), ['run', 'stream', 'wait'], () => load().observing)
}

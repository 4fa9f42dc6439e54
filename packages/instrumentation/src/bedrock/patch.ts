import { asRecord } from '../gen-ai/read.ts'
import type { Load } from '../patch/patch-methods.ts'
import { ownMethod, patchMethods } from '../patch/patch-methods.ts'

/** Makes a patch of the client that a file exports by this name. */
export function patchBedrock(name: string) {
  return (exports: unknown, load: Load): boolean => {
    const client = asRecord(exports)[name]
    // The method is that of all clients of AWS, and the others are left alone.
    ownMethod(client, 'send')
    return patchMethods(client, ['send'], () => load().observing)
  }
}

import { exportOf } from '../gen-ai/read.ts'
import { defineOwnMethod, patchMethods, type Wrappers } from '../patch/patch-methods.ts'

/** Patches the client that a file exports under this name. */
export function patchBedrock(exports: unknown, name: string, wrappers: Wrappers): boolean {
  const client = exportOf(exports, name)
  // All AWS clients inherit the method; the others must not be patched.
  defineOwnMethod(client, 'send')
  return patchMethods(client, ['send'], wrappers)
}

import { fieldsOf } from '../calls/read.ts'
import type { Load } from '../library.ts'
import { ownMethod, patchMethods } from '../methods/patch.ts'

export function patchBedrock(exports: unknown, load: Load): boolean {
  const { BedrockRuntimeClient } = fieldsOf(exports)
  // The method is that of all clients of AWS, and the others are left alone.
  ownMethod(BedrockRuntimeClient, 'send')
  return patchMethods(BedrockRuntimeClient, ['send'], () => load().observing)
}

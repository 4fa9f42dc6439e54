import { asRecord } from '../gen-ai/read.ts'
import type { Load } from '../patch/patch-methods.ts'
import { ownMethod, patchMethods } from '../patch/patch-methods.ts'

export function patchBedrock(exports: unknown, load: Load): boolean {
  const { BedrockRuntimeClient } = asRecord(exports)
  // The method is that of all clients of AWS, and the others are left alone.
  ownMethod(BedrockRuntimeClient, 'send')
  return patchMethods(BedrockRuntimeClient, ['send'], () => load().observing)
}

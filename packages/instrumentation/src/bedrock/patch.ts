import { exportOf } from '../gen-ai/read.ts'
import { defineOwnMethod, patchMethods, type Wrappers } from '../patch/patch-methods.ts'
import { wrappers as agentWrappers } from './agent/instrument.ts'
import { wrappers as runtimeWrappers } from './instrument.ts'

export const patchBedrock = (exports: unknown): boolean => patchSend(exports, 'BedrockRuntimeClient', runtimeWrappers)

export const patchBedrockAgent = (exports: unknown): boolean =>
  patchSend(exports, 'BedrockAgentRuntimeClient', agentWrappers)

/** Patches the client that a file exports under this name. */
function patchSend(exports: unknown, name: string, wrappers: Wrappers): boolean {
  const client = exportOf(exports, name)
  // All AWS clients inherit the method; the others must not be patched.
  defineOwnMethod(client, 'send')
  return patchMethods(client, ['send'], wrappers)
}

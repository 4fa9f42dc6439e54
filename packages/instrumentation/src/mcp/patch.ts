import { asRecord } from '../gen-ai/read.ts'
import { patchMethods } from '../patch/patch-methods.ts'
import { wrappers } from './instrument.ts'

export function patchMcp(exports: unknown): boolean {
  const { Client, ExperimentalClientTasks } = asRecord(exports)
  const called = patchMethods(Client, ['callTool'], wrappers)
  return patchMethods(ExperimentalClientTasks, ['callToolStream'], wrappers) || called
}

import { asRecord } from '../gen-ai/read.ts'
import type { Load } from '../patch/patch-methods.ts'
import { patchMethods } from '../patch/patch-methods.ts'

export function patchMcp(exports: unknown, load: Load): boolean {
  const { Client, ExperimentalClientTasks } = asRecord(exports)
  const observing = () => load().observing
  const called = patchMethods(Client, ['callTool'], observing)
  return patchMethods(ExperimentalClientTasks, ['callToolStream'], observing) || called
}

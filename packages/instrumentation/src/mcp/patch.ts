import { fieldsOf } from '../calls/read.ts'
import type { Load } from '../library.ts'
import { patchMethods } from '../methods/patch.ts'

export function patchMcp(exports: unknown, load: Load): boolean {
  const { Client, ExperimentalClientTasks } = fieldsOf(exports)
  const observing = () => load().observing
  const called = patchMethods(Client, ['callTool'], observing)
  return patchMethods(ExperimentalClientTasks, ['callToolStream'], observing) || called
}

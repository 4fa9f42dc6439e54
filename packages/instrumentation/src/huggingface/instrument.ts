import { isMethod, type Method } from '../gen-ai/read.ts'
import type { EditedSource } from '../hook/edit-source.ts'
import { likeOriginal } from '../patch/replace-method.ts'
import { SLOT, TASKS, wrapTasks } from './edit.ts'
import { wrappers } from './wrappers.ts'

type TaskWrappers = Readonly<Record<string, (original: unknown) => unknown>>
const slots = globalThis as unknown as Record<symbol, TaskWrappers | undefined>

/**
 * Edits `@huggingface/inference` so that its tasks are recorded: its clients hold them as constants, which cannot be
 * patched.
 *
 * @param source of a file with at least one of the tasks
 */
export function edit(source: string): EditedSource {
  const changed = wrapTasks(source)
  if (changed === undefined) return { source, missing: ['its calls'] }
  slots[Symbol.for(SLOT)] ??= Object.fromEntries(TASKS.map((name) => [name, wrap(name)]))
  return { source: changed, missing: [] }
}

function wrap(name: string) {
  return (original: unknown): unknown => {
    const wrapper = wrappers[name]
    if (!isMethod(original) || !wrapper) return original
    const wrapped = wrapper(original)
    // Tasks are functions, but wrappers expect an owner.
    const task: Method = (...args) => wrapped.apply({}, args)
    return likeOriginal(task, original)
  }
}

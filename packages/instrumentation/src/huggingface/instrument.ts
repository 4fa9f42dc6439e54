import { createRequire } from 'node:module'
import { isMethod, type Method } from '../gen-ai/read.ts'
import type { EditedSource } from '../hook/edit-source.ts'
import { lazily } from '../patch/patch-methods.ts'
import { likeOriginal } from '../patch/replace-method.ts'
import { SLOT, TASKS, withWraps } from './edit.ts'

const require = createRequire(import.meta.url)

type Wraps = Readonly<Record<string, (own: unknown) => unknown>>
const slots = globalThis as unknown as Record<symbol, Wraps | undefined>

/**
 * Has the tasks of `@huggingface/inference` observed, which its clients cannot be given otherwise: they are constant on
 * each of them. What observes them is loaded with the first call.
 *
 * @param source of a file with at least one of the tasks
 */
export function edit(source: string): EditedSource {
  const changed = withWraps(source)
  if (changed === undefined) return { source, missing: ['its calls'] }
  slots[Symbol.for(SLOT)] ??= Object.fromEntries(TASKS.map((name) => [name, wrap(name)]))
  return { source: changed, missing: [] }
}

function wrap(name: string) {
  return (own: unknown): unknown => {
    if (!isMethod(own)) return own
    const observed = lazily(own, () => observing()[name]?.(own))
    // A task is no method of anybody, whereas calls have an owner.
    const task: Method = (...args) => observed.apply({}, args)
    return likeOriginal(task, own)
  }
}

function observing() {
  return (require('./observe.js') as typeof import('./observe.ts')).observing
}

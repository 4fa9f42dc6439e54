import { createRequire } from 'node:module'
import { isMethod } from '../gen-ai/read.ts'
import type { EditedSource } from '../hook/edit-source.ts'
import { lazily } from '../patch/patch-methods.ts'
import { likeOriginal } from '../patch/replace-method.ts'
import { EXPORTED, SLOT, type Wraps, withWraps } from './edit.ts'

const require = createRequire(import.meta.url)
const slots = globalThis as unknown as Record<symbol, Wraps | undefined>

/**
 * Has the queries of `@anthropic-ai/claude-agent-sdk` observed. What observes them is loaded with the first of them.
 *
 * @param source of a module that exports `query`
 */
export function edit(source: string): EditedSource {
  const changed = withWraps(source)
  if (changed === undefined) return { source, missing: ['its queries'] }
  slots[Symbol.for(SLOT)] ??= Object.fromEntries(EXPORTED.map((name) => [name, wrap(name)])) as unknown as Wraps
  return { source: changed, missing: [] }
}

function wrap(name: string) {
  return (own: unknown): unknown => {
    if (!isMethod(own)) return own
    return likeOriginal(
      lazily(own, () => wrappers()[name]?.(own)),
      own,
    )
  }
}

function wrappers() {
  return (require('./observe.js') as typeof import('./observe.ts')).observing
}

import { isMethod } from '../gen-ai/read.ts'
import type { EditedSource } from '../hook/edit-source.ts'
import { likeOriginal } from '../patch/replace-method.ts'
import { type EditWrappers, SLOT, WRAPPED_EXPORTS, wrapExports } from './edit.ts'
import { wrappers } from './wrappers.ts'

const slots = globalThis as unknown as Record<symbol, EditWrappers | undefined>

/**
 * Edits `@anthropic-ai/claude-agent-sdk` so that queries are recorded.
 *
 * @param source of a module that exports `query`
 */
export function edit(source: string): EditedSource {
  const changed = wrapExports(source)
  if (changed === undefined) return { source, missing: ['its queries'] }
  slots[Symbol.for(SLOT)] ??= Object.fromEntries(
    WRAPPED_EXPORTS.map((name) => [name, wrap(name)]),
  ) as unknown as EditWrappers
  return { source: changed, missing: [] }
}

function wrap(name: string) {
  return (original: unknown): unknown => {
    const wrapper = wrappers[name]
    return isMethod(original) && wrapper ? likeOriginal(wrapper(original), original) : original
  }
}

import * as SLOTS from './slots.ts'

/** On what the application sees of contexts, and on their manager: what is behind it. */
export const BEHIND = Symbol.for(SLOTS.BEHIND)

/** Returns what is behind a context, or a manager of contexts, as the application sees it: there our spans are active. */
export function behind<T>(shown: T): T {
  return (shown as { readonly [BEHIND]?: T } | undefined)?.[BEHIND] ?? shown
}

import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { isMethod, overrideMethod } from '@svc/core/override-method'
import type { Ending } from '../ending.ts'
import { followSteps } from './iterator.ts'

/**
 * Follows what is read with `for await` (the stream of an LLM library, a cursor). Only the first iteration is followed.
 */
export function followAsyncIterable(result: object, ending: Ending): object | undefined {
  const open = (result as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator]
  if (!isMethod(open)) return undefined
  const restore = overrideMethod(result, Symbol.asyncIterator, function (this: unknown, ...args: unknown[]) {
    if (this !== result) return open.apply(this, args)
    restore()
    try {
      return followOpened(
        context.with(ending.context, () => open.apply(result, args)),
        ending,
      )
    } catch (error) {
      ending.fail(error)
      throw error
    }
  })
  ending.expectFrom(result)
  return result
}

function followOpened(iterator: unknown, ending: Ending): unknown {
  const followed =
    typeof iterator === 'object' && iterator !== null
      ? attempt('follow an iterator', () => followSteps(iterator, ending))
      : undefined
  if (!followed) ending.done()
  return iterator
}

import { context } from '@svc/core/api'
import { isMethod, type Method, overrideMethod } from '@svc/core/override-method'
import type { Ending } from '../ending.ts'
import { follow } from './follow.ts'

/** Methods of a client's promise (`openai` and those generated like it) that give the response in another way. */
const OTHER_WAYS = ['asResponse', 'withResponse']

/**
 * Follows any other thenable: a query builder, a request, a promise class of a library. Because `then` may execute it,
 * only the application calls it: we replace `then`, and other methods that need not call it, and restore them at the first
 * call. A thenable that is never awaited ended when it was returned.
 */
export function followThenable(result: object, ending: Ending): object | undefined {
  const { then } = result as { then?: unknown }
  if (!isMethod(then)) return undefined
  const restore: (() => void)[] = []
  const replace = (name: string, original: Method, called: (args: unknown[]) => unknown) => {
    const replacement: Method = function (...args) {
      if (this !== result) return original.apply(this, args)
      for (const action of restore.splice(0)) action()
      try {
        return called(args)
      } catch (error) {
        ending.fail(error)
        throw error
      }
    }
    restore.push(overrideMethod(result, name, replacement))
  }
  replace('then', then, (args) => {
    if (areCallbacks(args)) return call(then, result, args, ending)
    // Not a call by `await`. `catch` of a query builder may call it so.
    return followGiven(then.apply(result, args), result, ending)
  })
  for (const name of ['catch', 'finally'] as const) {
    const original = (result as Partial<Record<typeof name, unknown>>)[name]
    if (!isMethod(original) || original === Promise.prototype[name]) continue
    replace(name, original, (args) => callOther(original, result, args, ending))
  }
  for (const name of OTHER_WAYS) {
    const { [name]: original } = result as Readonly<Record<string, unknown>>
    if (!isMethod(original)) continue
    const called = (args: unknown[]) => context.with(ending.context, () => original.apply(result, args))
    replace(name, original, (args) => followGiven(called(args), result, ending))
  }
  ending.expectFrom(result)
  return result
}

function areCallbacks([onFulfilled, onRejected]: readonly unknown[]): boolean {
  const given = [onFulfilled, onRejected].filter((callback) => callback !== undefined && callback !== null)
  return given.length > 0 && given.every(isMethod)
}

function call(then: Method, result: object, [onFulfilled, onRejected, ...rest]: unknown[], ending: Ending): unknown {
  const caller = context.active()
  const inCaller = (callback: Method, value: unknown) => context.with(caller, () => callback(value))
  const fulfilled = (value: unknown) => {
    const followed = follow(value, ending)
    return isMethod(onFulfilled) ? inCaller(onFulfilled, followed) : followed
  }
  const rejected = (error: unknown) => {
    ending.fail(error)
    if (isMethod(onRejected)) return inCaller(onRejected, error)
    throw error
  }
  ending.expect()
  return context.with(ending.context, () => then.call(result, fulfilled, rejected, ...rest))
}

/** Calls `catch` or `finally`: the last argument handles the error, or whatever comes. */
function callOther(method: Method, result: object, args: unknown[], ending: Ending): unknown {
  const caller = context.active()
  const handle = args.at(-1)
  const handler = (...given: unknown[]) => {
    if (given.length > 0) ending.fail(given[0])
    return context.with(caller, () => (handle as Method)(...given))
  }
  const handlers = isMethod(handle) ? [...args.slice(0, -1), handler] : args
  const given = context.with(ending.context, () => method.apply(result, handlers))
  return followGiven(given, result, ending)
}

/** Follows what a method of the thenable returned, if it is its result. */
function followGiven(given: unknown, result: object, ending: Ending): unknown {
  if (given !== result && isMethod((given as { then?: unknown } | undefined)?.then)) return follow(given, ending)
  ending.done()
  return given
}

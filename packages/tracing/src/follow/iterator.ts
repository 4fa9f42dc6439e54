import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { isMethod, type Method, overrideMethod } from '@svc/core/override-method'
import type { Ending } from '../ending.ts'
import { isPlainPromise } from './promise.ts'

const STEPS = ['next', 'return', 'throw'] as const

const nothing: unknown[] = []
const prototypeOf = (value: object): object => Object.getPrototypeOf(value)
const ITERATOR = prototypeOf(prototypeOf(nothing[Symbol.iterator]()))
const ASYNC_ITERATOR = prototypeOf(prototypeOf(async function* () {}.prototype))

/**
 * Follows a generator, an async generator, or an iterator derived from one. Its type does not change; each step runs in
 * the context of the observation, so that spans started by its body become children.
 */
export function followIterator(result: object, ending: Ending): object | undefined {
  return isIterator(result) ? followSteps(result, ending) : undefined
}

/** Follows a value that is known to be an iterator. */
export function followSteps(result: object, ending: Ending): object {
  for (const name of STEPS) {
    const step = (result as Record<string, unknown>)[name]
    if (isMethod(step)) overrideMethod(result, name, observed(step, result, ending))
  }
  ending.expectFrom(result)
  return result
}

// A method `next` is not enough: that of a database cursor returns a row. Compiled generators have all three.
function isIterator(value: object): boolean {
  const iterator = value as Record<PropertyKey, unknown>
  if (!isMethod(iterator.next)) return false
  if (Object.prototype.isPrototypeOf.call(ITERATOR, value)) return true
  if (Object.prototype.isPrototypeOf.call(ASYNC_ITERATOR, value)) return true
  const isIterable = isMethod(iterator[Symbol.iterator]) || isMethod(iterator[Symbol.asyncIterator])
  return isIterable && isMethod(iterator.return) && isMethod(iterator.throw)
}

function observed(step: Method, iterator: object, ending: Ending): Method {
  const seen = (outcome: unknown) => {
    attempt('read a step', () => readStep(outcome, ending))
    return outcome
  }
  const failed = (error: unknown) => {
    ending.fail(error)
    throw error
  }
  return function (this: unknown, ...args) {
    if (this !== iterator) return step.apply(this, args)
    let outcome: unknown
    try {
      outcome = context.with(ending.context, () => step.apply(iterator, args))
    } catch (error) {
      return failed(error)
    }
    if (typeof outcome !== 'object' || outcome === null || !isPlainPromise(outcome)) return seen(outcome)
    return outcome.then(seen, failed)
  }
}

/** The value of a `return` is the last chunk. */
function readStep(outcome: unknown, ending: Ending): void {
  const { done, value } = outcome as { done?: unknown; value?: unknown }
  if (!done || value !== undefined) ending.onChunk(value)
  if (done) ending.done()
}

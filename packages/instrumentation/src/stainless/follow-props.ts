import { observe } from '../calls/observe.ts'
import { fieldsOf, isObject } from '../calls/read.ts'
import type { Method } from '../calls/shadow.ts'
import { type Observing, patchMethods } from '../methods/patch.ts'
import type { Follower } from './follower.ts'

/**
 * A thread of Anthropic, on which its tool runner works, takes a response with its request out of the promise that
 * `create` gave, and makes another promise of it: who reads that one reads the answer of this call.
 */
export function observedProps(responseProps: Method, follower: Follower): Method {
  return function (...args) {
    const value = (props: unknown) => {
      if (!isObject(props)) return
      followers.set(props, follower)
      patchMethods(fieldsOf(this).constructor, ['parseResponseTraced'], () => observing)
    }
    return observe(responseProps.apply(this, args), { value, error: (reason) => follower.error(reason) })
  }
}

const followers = new WeakMap<object, Follower>()

const observing: Observing = {
  parseResponseTraced: (own) =>
    function (...args) {
      const [props] = args
      const follower = isObject(props) ? followers.get(props) : undefined
      const answer = own.apply(this, args)
      return follower ? observe(answer, follower) : answer
    },
}

import { asRecord, isObject } from '../gen-ai/read.ts'
import { patchMethods, type Wrappers } from '../patch/patch-methods.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import type { ObserveMethod, PromiseFollower } from './follower.ts'

/**
 * Follows calls of Anthropic's tool runner, which takes the response out of the promise that `create` returned and
 * parses it in another promise.
 */
export const observeResponseProps: ObserveMethod = (follower, responseProps, owner, args) => {
  const value = (props: unknown) => {
    if (!isObject(props)) return
    followers.set(props, follower)
    patchMethods(asRecord(owner).constructor, ['parseResponseTraced'], wrappers)
  }
  return tapPromise(responseProps.apply(owner, args), { value, error: (reason) => follower.error(reason) })
}

const followers = new WeakMap<object, PromiseFollower>()

const wrappers: Wrappers = {
  parseResponseTraced: (original) =>
    function (...args) {
      const [props] = args
      const follower = isObject(props) ? followers.get(props) : undefined
      const parsed = original.apply(this, args)
      return follower ? tapPromise(parsed, follower) : parsed
    },
}

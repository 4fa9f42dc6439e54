import { attempt } from '@svc/core/attempt'
import { isMethod, overrideMethod } from '@svc/core/override-method'
import type { Fields } from '../gen-ai/read.ts'

/** Calls `tell` with the arguments of a method of one object before the method. */
export function before(owner: object, name: string, tell: (...args: unknown[]) => void): void {
  const { [name]: method } = owner as Fields
  if (!isMethod(method)) return
  overrideMethod(owner, name, function (...args) {
    attempt('follow a request', tell, ...args)
    return method.apply(this, args)
  })
}

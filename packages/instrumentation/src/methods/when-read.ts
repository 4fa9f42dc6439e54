import { attempt } from '@svc/core/attempt'
import { ownerOf } from './patch.ts'

/** Getters of ours. */
const looking = new WeakSet<object>()

/** Looks at what a getter of a class gives, whenever it does: the class of that may be exported nowhere. */
export function whenRead(owner: unknown, name: string, see: (value: object) => void): void {
  const prototype = ownerOf(owner, name)
  const described = prototype && Object.getOwnPropertyDescriptor(prototype, name)
  if (!described?.get || looking.has(described.get)) return
  const { get } = described
  function look(this: unknown): unknown {
    const value: unknown = get.call(this)
    if (typeof value === 'object' && value !== null) attempt(`look at ${name}`, () => see(value))
    return value
  }
  looking.add(look)
  Object.defineProperty(prototype, name, { ...described, get: look })
}

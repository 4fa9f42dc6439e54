import type { Method } from '../gen-ai/read.ts'

/** Puts a method in the place of an object's own or in front of an inherited one, so that its fields list as before. */
export function overrideMethod(owner: object, name: PropertyKey, value: Method): void {
  if (Object.hasOwn(owner, name)) Reflect.set(owner, name, value)
  else Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false })
}

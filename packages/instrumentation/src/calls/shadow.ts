export type Method = (this: unknown, ...args: unknown[]) => unknown

export function isMethod(value: unknown): value is Method {
  return typeof value === 'function'
}

/** Puts a method in the place of an object's own or in front of an inherited one, so that its fields list as before. */
export function shadow(owner: object, name: PropertyKey, value: Method): void {
  if (Object.hasOwn(owner, name)) Reflect.set(owner, name, value)
  else Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false })
}

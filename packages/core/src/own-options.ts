import { ownFields } from './own.ts'

/**
 * Returns options as {@link ownFields} does. What a class of the application says counts as its own: a mask that is a
 * method, or a getter, must not be left out.
 */
export function ownOptions<T extends object>(options: T): T {
  const read = ownFields(options)
  for (const name of namesOfClass(Object.getPrototypeOf(options ?? read))) {
    if (!Object.hasOwn(read, name)) read[name as keyof T] = options[name as keyof T]
  }
  return read
}

/** A prototype that a careless merge of JSON has made has no class. */
function namesOfClass(prototype: object | null): readonly string[] {
  const above: object | null = prototype && Object.getPrototypeOf(prototype)
  if (!prototype || !above || !Object.hasOwn(prototype, 'constructor')) return []
  const { prototype: ofClass } = prototype.constructor ?? {}
  if (ofClass !== prototype) return []
  return [...namesOfClass(above), ...Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')]
}

/**
 * Returns a field by name only if the object has it itself. What it inherits is nobody's setting: `constructor`, which
 * every object has, and what somebody may have added to `Object.prototype`.
 */
export function own<T extends object, K extends keyof T>(fields: T, name: K): T[K] | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/**
 * Returns a copy with the own fields of an object, which inherits nothing: fields it lacks are undefined. What a class
 * of the application says, such as a getter, counts as its own.
 */
export function ownFields<T extends object>(fields: T): T {
  const copy = Object.create(null)
  for (const name of namesOfClass(Object.getPrototypeOf(fields ?? copy))) copy[name] = fields[name as keyof T]
  return Object.assign(copy, fields)
}

/** A prototype that a careless merge of JSON has made has no class. */
function namesOfClass(prototype: object | null): readonly string[] {
  const above: object | null = prototype && Object.getPrototypeOf(prototype)
  if (!prototype || !above || !Object.hasOwn(prototype, 'constructor')) return []
  const { prototype: ofClass } = prototype.constructor ?? {}
  if (ofClass !== prototype) return []
  return [...namesOfClass(above), ...Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')]
}

/**
 * Returns a field by name only if the object has it itself. What it inherits is nobody's setting: `constructor`, which
 * every object has, and what somebody may have added to `Object.prototype`.
 */
export function own<T extends object, K extends keyof T>(fields: T, name: K): T[K] | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** Returns a copy with the own fields of an object, which inherits nothing: fields it lacks are undefined. */
export function ownFields<T extends object>(fields: T): T {
  return Object.assign(Object.create(null), fields)
}

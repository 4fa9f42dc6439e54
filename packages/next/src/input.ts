import { ownFields } from '@svc/core/own'

/** Input as it is recorded: the fields of a form as an object, files by their names, anything else as it is. */
export function inputOf(value: unknown): unknown {
  if (typeof FormData !== 'function' || !(value instanceof FormData)) return value
  const fields: Record<string, unknown> = ownFields({})
  for (const [name, field] of value) {
    // Next's own fields of a form that calls a server action.
    if (!name.startsWith('$ACTION')) fields[name] = typeof field === 'string' ? field : `[file ${field.name}]`
  }
  return fields
}

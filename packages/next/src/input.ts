import { ownFields } from '@svc/core/own'

/**
 * Input as it is recorded: the fields of a form as an object, one that it has more than once as a list, files by their
 * names, anything else as it is.
 */
export function inputOf(value: unknown): unknown {
  if (!(value instanceof FormData)) return value
  const fields: Record<string, string | string[]> = ownFields({})
  for (const [name, field] of value) {
    // Next's own fields of a form that calls a server action.
    if (name.startsWith('$ACTION')) continue
    const text = typeof field === 'string' ? field : `[file ${field.name}]`
    const given = fields[name]
    // Not `getAll`, which reads the whole form for each name.
    if (Array.isArray(given)) given.push(text)
    else fields[name] = given === undefined ? text : [given, text]
  }
  return fields
}

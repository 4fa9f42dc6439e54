import { foreignText } from '@svc/core/foreign-text'
import { isFields, toJson } from '@svc/core/json'

/**
 * Returns the error for invalid arguments: what was expected, and what was passed.
 *
 * @example throw misuse('prompt.update', 'a version that is a whole number', version)
 */
export function misuse(call: string, needs: string, got: unknown): TypeError {
  return new TypeError(`svc: ${call} needs ${needs}: got ${shown(got)}.`)
}

/**
 * Checks what follows the name in a call such as `prompt.get(name, options)`: a bare version, or one more argument, would
 * otherwise be overlooked, and the call would read, or delete, something else.
 *
 * @param option the option that a bare value stands for, by its type; `example` where it stands for none
 * @throws {TypeError} for anything but one object, with the line to write
 */
export function checkOptions(
  call: string,
  [name, options, ...more]: readonly unknown[],
  option: Readonly<Record<string, string>>,
): void {
  const isObject = isFields(options) && !(options instanceof Date)
  if ((options === undefined || isObject) && more.every((each) => each === undefined)) return
  const meant = option[options instanceof Date ? 'date' : typeof options]
  const fields = { ...(meant ? { [meant]: options } : isObject && options), ...Object(more[0]) }
  const written = Object.entries(fields).map(([key, value]) => `${key}: ${toJson(value)}`)
  const line = `${call}(${JSON.stringify(name)}, { ${written.join(', ') || option.example} })`
  throw misuse(call, `options such as ${foreignText(line, 200)}`, more.length > 0 ? more[0] : options)
}

/** Describes a value for a message, with at most a short part of the application's content. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(foreignText(value, 80))
  if (Array.isArray(value)) return `a list of ${value.length}`
  return Object(value) === value ? `a value of type ${typeof value}` : String(value)
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

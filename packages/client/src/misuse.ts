import { foreignText } from '@svc/core/foreign-text'

/**
 * Returns the error for invalid arguments: what was expected, and what was passed.
 *
 * @example throw misuse('prompt.update', 'a version that is a whole number', version)
 */
export function misuse(call: string, needs: string, got: unknown): TypeError {
  return new TypeError(`svc: ${call} needs ${needs}: got ${shown(got)}.`)
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

import { FAILED_TO_SERIALIZE, toText } from '@svc/core/json'
import mustache from 'mustache'

/** Values of the variables of a prompt: strings, or lists and objects for sections of the template. */
export type PromptVariables = Readonly<Record<string, unknown>>

/** Writes values as text for a model, not for HTML. */
class TextWriter extends mustache.Writer {
  override escapedValue([, name = '']: string[], context: mustache.Context): string {
    return asText(name, context.lookup(name))
  }

  override unescapedValue([, name = '']: string[], context: mustache.Context): string {
    return asText(name, context.lookup(name))
  }
}

// The cache would keep every template for ever.
const writer = Object.assign(new TextWriter(), { templateCache: undefined })

/**
 * Renders a Mustache template. Nothing is escaped, because the result is text for a model, not HTML. Unknown variables
 * are empty. A value that is neither a string nor a number becomes JSON.
 *
 * @throws {Error} if the template is invalid (an unclosed tag or section), or a value cannot be written as JSON
 */
export function render(template: string, variables: object | null | undefined): string {
  // Without a prototype, so that `{{constructor}}` is an unknown variable.
  const view: object = Object.assign(Object.create(null), variables)
  return writer.render(template, view)
}

// "[object Object]" is never useful in a prompt.
function asText(name: string, value: unknown): string {
  const text = toText(value) ?? ''
  if (text === FAILED_TO_SERIALIZE && value !== text) throw new Error(`"${name}" cannot be written as JSON`)
  return text
}

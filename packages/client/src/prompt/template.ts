import mustache from 'mustache'

/** Values of the variables of a prompt: strings, or lists and objects for sections of the template. */
export type PromptVariables = Readonly<Record<string, unknown>>

// Our own writer, because the shared one caches every template forever, and changing its escaping would affect the
// application.
const writer = Object.assign(new mustache.Writer(), { templateCache: undefined })

/**
 * Renders a Mustache template. Nothing is escaped, because the result is text for a model, not HTML. Unknown variables
 * are empty.
 *
 * @throws {Error} if the template is invalid (an unclosed tag or section)
 */
export function render(template: string, variables: object | null | undefined): string {
  // Without a prototype, so that `{{constructor}}` is an unknown variable.
  const view: object = Object.assign(Object.create(null), variables)
  return writer.render(template, view, undefined, { escape: asText })
}

// "[object Object]" is never useful in a prompt.
function asText(value: unknown): string {
  const text = String(value)
  return text === '[object Object]' ? JSON.stringify(value) : text
}

import mustache from 'mustache'

/** Values of the variables in a prompt. A template decides what they may be: texts, or lists and objects in sections. */
export type PromptVariables = Readonly<Record<string, unknown>>

// A writer of our own: the shared one of the module remembers every template for ever, and its escaping is not ours
// to change.
const writer = Object.assign(new mustache.Writer(), { templateCache: undefined })

/**
 * Renders a Mustache template. Nothing is escaped: what leaves is text for a model, not HTML. Unknown variables are
 * empty.
 *
 * @throws {Error} when the template is not whole (an unclosed tag or section)
 */
export function render(template: string, variables: object | null | undefined): string {
  // Without a prototype: `{{constructor}}` is an unknown variable like any other.
  const view: object = Object.assign(Object.create(null), variables)
  return writer.render(template, view, undefined, { escape: asText })
}

// "[object Object]" is never what somebody wanted to ask a model.
function asText(value: unknown): string {
  const text = String(value)
  return text === '[object Object]' ? JSON.stringify(value) : text
}

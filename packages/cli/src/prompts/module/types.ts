import type { Content } from '../prompt.ts'
import { needsOf, type TemplateVariables } from './variables.ts'

/** Returns the type of a prompt: an entry of the interface `SvcPrompts`. */
export function typeOf(content: Content): string {
  const { variables, placeholders, errors } = needsOf(content)
  // The variables of an invalid template are unknown.
  const values = errors.length > 0 ? 'PromptVariables' : objectOf(variables)
  if (content.type === 'text') return `{ type: 'text'; variables: ${values} }`
  const messages = fieldsOf(placeholders.map((name) => `${JSON.stringify(name)}: readonly object[]`))
  return `{ type: 'chat'; variables: ${values}; placeholders: ${messages} }`
}

function objectOf(variables: TemplateVariables): string {
  const fields = [...variables].map(([name, { isNeeded, isWhole, below }]) => {
    const key = JSON.stringify(name)
    if (!isNeeded) return `${key}?: unknown`
    return `${key}: ${isWhole ? 'PromptValue' : objectOf(below)}`
  })
  return fieldsOf(fields)
}

const fieldsOf = (fields: readonly string[]): string =>
  fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`

import mustache from 'mustache'
import { type Content, isPlaceholder } from '../prompt.ts'

/** The variables of a template, with their fields: `{{user.name}}`. */
export type TemplateVariables = Map<string, Variable>

interface Variable {
  /** Whether the text is incomplete without it. */
  isNeeded: boolean
  /** Whether it is used itself, not only its fields. */
  isWhole: boolean
  readonly below: TemplateVariables
}

/** An error in a template: the index of the message in the prompt, and that of the character in its text. */
export interface TemplateError {
  readonly message: number
  readonly index: number
  readonly reason: string
}

/** The arguments that `compile` of a prompt needs, or the errors in its templates. */
export interface Needs {
  readonly variables: TemplateVariables
  readonly placeholders: readonly string[]
  readonly errors: readonly TemplateError[]
}

/** Parses the templates of a prompt like `compile`. */
export function needsOf(content: Content): Needs {
  const entries = content.type === 'text' ? [{ role: '', content: content.prompt }] : content.prompt
  const variables: TemplateVariables = new Map()
  const placeholders = new Set<string>()
  const errors: TemplateError[] = []
  for (const [message, entry] of entries.entries()) {
    if (isPlaceholder(entry)) {
      placeholders.add(entry.name)
      continue
    }
    try {
      collect(mustache.parse(entry.content) as Token[], variables, false)
    } catch (error) {
      errors.push({ message, ...placed(error as Error, entry.content) })
    }
  }
  return { variables, placeholders: [...placeholders], errors }
}

/** Kind, name or text, start, end, and the tokens in a section. */
type Token = readonly [kind: string, name: string, start: number, end: number, inside?: readonly Token[]]

function collect(tokens: readonly Token[], variables: TemplateVariables, isInSection: boolean): void {
  for (const [kind, name, , , inside = []] of tokens) {
    const isSection = kind === '#' || kind === '^'
    // A name in a section may be a field of its item, and the variable of a section is optional.
    if (isSection || kind === 'name' || kind === '&') add(name, variables, !isSection && !isInSection)
    if (isSection) collect(inside, variables, true)
  }
}

function add(path: string, variables: TemplateVariables, isNeeded: boolean): void {
  const names = path.split('.').filter((name) => name !== '')
  let at = variables
  for (const [index, name] of names.entries()) {
    const known = at.get(name) ?? { isNeeded: false, isWhole: false, below: new Map() }
    known.isNeeded ||= isNeeded
    known.isWhole ||= index === names.length - 1
    at.set(name, known)
    at = known.below
  }
}

/** `Unclosed tag at 12` */
function placed({ message }: Error, template: string): Omit<TemplateError, 'message'> {
  const [, reason = message, at] = /^(.*) at (\d+)$/s.exec(message) ?? []
  const opened = /^Unclosed section "(.*)"$/s.exec(reason)?.[1]
  // The parser reports the position after the tag; find its beginning.
  const begin = (tag: string) => template.lastIndexOf(`{{${tag}`, Number(at))
  const start = opened === undefined ? begin('') : Math.max(begin(`#${opened}`), begin(`^${opened}`))
  return { reason: `the template cannot be compiled: ${reason}`, index: Math.max(start, 0) }
}

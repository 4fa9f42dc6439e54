import type { PromptMessage } from './prompt-types.ts'

/** A variable: `{{name}}`, or `{{{name}}}` and `{{&name}}`, which mean the same without escaping. No text in quotes: JSON. */
const VARIABLE =
  /\{\{\{\s{0,20}([^\s{}"'#^/>!=&.:,][^{}"':,]{0,200})\}\}\}|\{\{&?\s{0,20}([^\s{}"'#^/>!=&.:,][^{}"':,]{0,200})\}\}/y

/** Any other tag of Mustache: a section, its end, a partial, a comment, other delimiters. */
const TAG = /\{\{\s{0,20}([#^/>!=])([^{}]{0,200})\}\}/y

/** Open `{` or `{{`, innermost last. */
type Opened = 'json' | 'plain' | 'doubled'

/**
 * Converts a template to LangChain's f-string format: `{{name}}` becomes `{name}`, and single braces around JSON
 * (followed by a quote, or empty) are doubled, because LangChain would read them as variables. Doubled braces are not
 * changed. Comments are left out.
 *
 * @throws {Error} if the template has a section or a partial, which LangChain's format lacks
 */
export function toLangchain(template: string): string {
  const opened: Opened[] = []
  let written = ''
  let at = 0
  const write = (text: string, read: number) => {
    written += text
    at += read
  }
  while (at < template.length) {
    const variable = variableAt(template, at)
    const comment = variable ? undefined : commentAt(template, at)
    const twice = template[at] === template[at + 1]
    if (variable) write(`{${variable.name}}`, variable.length)
    else if (comment) write('', comment.length)
    else if (template[at] === '{' && twice) {
      opened.push('doubled')
      write('{{', 2)
    } else if (template[at] === '{') {
      const kind = opensJson(template, at) ? 'json' : 'plain'
      opened.push(kind)
      write(kind === 'json' ? '{{' : '{', 1)
    } else if (template[at] === '}') {
      const kind = opened.pop()
      if (kind === 'json') write('}}', 1)
      else if (kind !== 'plain' && twice) write('}}', 2)
      else write('}', 1)
    } else write(template[at] ?? '', 1)
  }
  return written
}

/** Returns a message that LangChain does not read as a template: all its braces are doubled. */
export function toLangchainText({ role, content }: PromptMessage): PromptMessage {
  return { role, content: withDoubledBraces(content) as string }
}

/** Doubles the braces of all texts in a value. */
export function withDoubledBraces(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/[{}]/g, '$&$&')
  if (Array.isArray(value)) return value.map(withDoubledBraces)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withDoubledBraces(each)]))
}

function variableAt(template: string, at: number): { name: string; length: number } | undefined {
  if (template[at] !== '{') return undefined
  VARIABLE.lastIndex = at
  const found = VARIABLE.exec(template)
  const name = found?.[1] ?? found?.[2]
  return found && name !== undefined ? { name: name.trimEnd(), length: found[0].length } : undefined
}

function commentAt(template: string, at: number): string | undefined {
  if (template[at] !== '{') return undefined
  TAG.lastIndex = at
  const [tag, kind] = TAG.exec(template) ?? []
  if (tag !== undefined && kind !== '!') throw new Error(`LangChain has nothing like ${tag}`)
  return tag
}

function opensJson(template: string, at: number): boolean {
  return /^\{\s*["'}]/.test(template.slice(at, at + 1_000))
}

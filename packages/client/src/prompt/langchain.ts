/** A variable: `{{name}}`, or `{{{name}}}` and `{{&name}}`, which mean the same without escaping. */
const VARIABLE = /\{\{\{\s*(\w+)\s*\}\}\}|\{\{&?\s*(\w+)\s*\}\}/y

/** Open `{` or `{{`, innermost last. */
type Opened = 'json' | 'plain' | 'doubled'

/**
 * Converts a template to LangChain's f-string format: `{{name}}` becomes `{name}`, and single braces around JSON
 * (followed by a quote) are doubled, because LangChain would read them as variables. Doubled braces are not changed.
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
    const twice = template[at] === template[at + 1]
    if (variable) write(`{${variable.name}}`, variable.length)
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

function variableAt(template: string, at: number): { name: string; length: number } | undefined {
  if (template[at] !== '{') return undefined
  VARIABLE.lastIndex = at
  const found = VARIABLE.exec(template)
  const name = found?.[1] ?? found?.[2]
  return found && name !== undefined ? { name, length: found[0].length } : undefined
}

function opensJson(template: string, at: number): boolean {
  return /^\{\s*["']/.test(template.slice(at, at + 1_000))
}

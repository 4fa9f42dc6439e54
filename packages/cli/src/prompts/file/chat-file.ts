import { isMap, isScalar, type Node, Scalar } from 'yaml'
import { isPlaceholder, type Placeholder, type Prompt, type StoredMessage } from '../prompt.ts'
import { formatYaml } from './format-yaml.ts'
import { headOf, readHead } from './head.ts'
import type { ReadFile } from './read-file.ts'
import { YamlFields } from './yaml-fields.ts'

/** Formats a chat prompt as YAML, the text of each message below `content: |-`. */
export function formatChat(prompt: Prompt & { readonly content: { readonly type: 'chat' } }): string {
  const messages = prompt.content.prompt.map((entry) => (isPlaceholder(entry) ? { placeholder: entry.name } : entry))
  // A block scalar, because text that starts with {{city}} would be parsed as a map.
  return formatYaml({ ...headOf(prompt), messages }, ['content'])
}

/** @throws {Mistake} with the position of the error */
export function parseChat(source: string, file: string): ReadFile {
  const fields = new YamlFields(source, { file, linesBefore: 0 })
  fields.expectOnly(['name', 'type', 'labels', 'config', 'messages'])
  const { name, labels, config } = readHead(fields, 'chat')
  const list = fields.field('messages')
  if (!list) throw fields.mistakeAt(0, 'no messages: expected messages: with a list of - role: and content:')
  const nodes = fields.list('messages', list)
  const content = { type: 'chat', prompt: nodes.map((node) => entryOf(node, fields)), config } as const
  return {
    prompt: { name, labels, content },
    mistakeIn: (at, index, message) => {
      const node = fields.field('content', nodes[at])
      return fields.mistakeAt(node ? offsetIn(node, index, fields.source) : 0, message)
    },
  }
}

function entryOf(node: Node, fields: YamlFields): StoredMessage | Placeholder {
  if (!isMap(node)) throw fields.mistake(node, 'expected a message (role: and content:) or placeholder: and its name')
  const placeholder = fields.field('placeholder', node)
  const [role, content] = [fields.field('role', node), fields.field('content', node)]
  if (placeholder && !role) {
    fields.expectOnly(['placeholder'], node)
    const name = fields.text('placeholder', placeholder)
    if (name === '') throw fields.mistake(placeholder, 'placeholder: expected a name')
    return { type: 'placeholder', name }
  }
  if (!role) throw fields.mistake(node, 'a message needs a role: system, user, assistant')
  if (!content) throw fields.mistake(node, 'a message needs a content')
  const more = fields.json(node) as Record<string, unknown>
  return { ...more, role: fields.text('role', role), content: fields.text('content', content) }
}

/** Returns the offset of a character of a text in the file; that of the beginning of the text, if it has escapes. */
function offsetIn(node: Node, index: number, source: string): number {
  const start = node.range?.[0] ?? 0
  if (!isScalar(node) || node.type !== Scalar.BLOCK_LITERAL) return start
  const before = String(node.value).slice(0, index).split('\n')
  const lines = source.slice(start).split('\n')
  const line = lines[before.length] ?? ''
  const whole = String(node.value).split('\n')[before.length - 1] ?? ''
  const above = lines.slice(0, before.length).reduce((length, each) => length + each.length + 1, 0)
  return start + above + line.length - whole.length + (before.at(-1) ?? '').length
}

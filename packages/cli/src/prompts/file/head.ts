import type { Node } from 'yaml'
import { LATEST, type Prompt } from '../prompt.ts'
import type { YamlFields } from './yaml-fields.ts'

type Head = Pick<Prompt, 'name' | 'labels'> & { readonly config: unknown }

/** Reads the fields of text and chat files. @throws {Mistake} with the position of the error */
export function readHead(fields: YamlFields, type: Prompt['content']['type']): Head {
  const nameNode = fields.field('name')
  if (!nameNode) throw fields.mistakeAt(0, 'no name: expected name: and the name that the prompt has in the service')
  const name = fields.text('name', nameNode)
  if (name === '') throw fields.mistake(nameNode, 'name: expected a string that is not empty')
  const typeNode = fields.field('type')
  if (typeNode && fields.text('type', typeNode) !== type) {
    const kinds = 'a text prompt is a .md file, a chat prompt a .yaml file'
    throw fields.mistake(typeNode, `type: expected ${type}: ${kinds}`)
  }
  const config = fields.field('config')
  return { name, labels: readLabels(fields, fields.field('labels')), config: config ? fields.json(config) : {} }
}

function readLabels(fields: YamlFields, node: Node | undefined): string[] {
  if (!node) return []
  const labels = fields.list('labels', node).map((each) => {
    const label = fields.text('labels', each)
    if (label !== LATEST && label !== '') return label
    throw fields.mistake(
      each,
      label ? `the label ${LATEST} always belongs to the newest version` : 'the label is empty',
    )
  })
  return [...new Set(labels)].sort()
}

/** Returns the fields at the top of a file, without empty ones. */
export function headOf({ name, labels, content: { type, config } }: Prompt): Record<string, unknown> {
  return { name, type, ...(labels.length > 0 && { labels }), ...(isConfig(config) && { config }) }
}

// The service has `{}` for a prompt without config.
function isConfig(config: unknown): boolean {
  return typeof config !== 'object' || (config !== null && Object.keys(config).length > 0) || Array.isArray(config)
}

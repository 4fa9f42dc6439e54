import { type FilePosition, Mistake } from '../mistake.ts'
import type { Prompt } from '../prompt.ts'
import { formatYaml } from './format-yaml.ts'
import { headOf, readHead } from './head.ts'
import type { ReadFile } from './read-file.ts'
import { YamlFields } from './yaml-fields.ts'

const FENCE = '---\n'
/**
 * Characters that editors and Git may change, or UTF-8 cannot encode: text with these is written with escapes, at the
 * top.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters.
const FRAGILE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]/u

/**
 * Formats a text prompt: fields between two lines `---`, then the text and one line break, which editors and Git expect
 * at the end. The text may contain anything, also lines `---`.
 */
export function formatText(prompt: Prompt & { readonly content: { readonly type: 'text' } }): string {
  const { prompt: text } = prompt.content
  if (FRAGILE.test(text)) return `${FENCE}${formatYaml({ ...headOf(prompt), prompt: text })}${FENCE}`
  return `${FENCE}${formatYaml(headOf(prompt))}${FENCE}${text}\n`
}

/** @throws {Mistake} with the place of what is wrong */
export function parseText(source: string, file: string): ReadFile {
  const [, head, body] = /^---[ \t]*\n(.*?\n|)---[ \t]*(?:\n(.*)|)$/s.exec(source) ?? []
  if (head === undefined) {
    throw new Mistake(file, { line: 1, column: 1 }, 'expected a line ---, then name: …, then a line ---, then the text')
  }
  const fields = new YamlFields(head, { file, linesBefore: 1 })
  fields.expectOnly(['name', 'type', 'labels', 'config', 'prompt'])
  const { name, labels, config } = readHead(fields, 'text')
  const above = fields.field('prompt')
  const below = (body ?? '').replace(/\n$/, '')
  if (above && below !== '')
    throw fields.mistake(above, 'the text is both here and below the second line ---: remove one')
  const content = { type: 'text', prompt: above ? fields.text('prompt', above) : below, config } as const
  const linesBefore = head.split('\n').length + 1
  return {
    prompt: { name, labels, content },
    mistakeIn: (_, index, message) =>
      above ? fields.mistake(above, message) : new Mistake(file, placeIn(content.prompt, index, linesBefore), message),
  }
}

function placeIn(text: string, index: number, linesBefore: number): FilePosition {
  const lines = text.slice(0, index).split('\n')
  return { line: linesBefore + lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What the README of an example promises: its first line is the command, its last block the trace. */
export interface Promised {
  readonly folder: string
  /** The command without `node`. */
  readonly args: readonly string[]
  /** The last code block. */
  readonly trace: string
}

export function readmeOf(example: string): Promised {
  const folder = fileURLToPath(new URL(`../../examples/${example}/`, import.meta.url))
  const page = readFileSync(`${folder}README.md`, 'utf8')
  const [, command = ''] = /^`([^`]+)`\n/.exec(page) ?? []
  const [program, ...args] = command.split(' ')
  if (program !== 'node') throw new Error(`the README of ${example} does not begin with a command: ${command}`)
  return { folder, args, trace: screens(page).at(-1) ?? '' }
}

/** The code blocks of a page that name no language: what a terminal shows. */
export function screens(page: string): string[] {
  const blocks = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
  return blocks.filter(([, language]) => language === '').map(([, , text = '']) => text.trimEnd())
}

/** A drawn trace without what differs from run to run: ids, ports, times. */
export function timeless(drawing: string): string {
  return drawing
    .replaceAll(/\b[0-9a-f]{32}\b/g, '<trace id>')
    .replaceAll(/\d+(\.\d+)? m?s\b/g, '<time>')
    .trim()
}

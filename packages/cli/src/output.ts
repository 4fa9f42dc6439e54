import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { foreignLines, redactKeys } from '@svc/core/foreign-text'

/**
 * The one way to the terminal: every line of a command may contain names and texts of a folder or of a server. Only what
 * stands here can colour, move or erase anything.
 */

/** Clears the line, as the first thing that is written: nothing from outside stands there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters.
const CLEAR = /^\r\u001B\[2K/
/** Stands for the beginning of our own colours. Nobody else knows it. */
const MARK = `⟪${randomUUID()}⟫`
const MARKED = new RegExp(`${MARK}(\\d+)m`, 'g')

export type Output = Pick<NodeJS.WritableStream, 'write'>

/** Returns the text with a style, for {@link write}. */
export function painted(style: 'bold' | 'cyan' | 'green' | 'red' | 'yellow', text: string): string {
  const [on, off] = inspect.colors[style] ?? [0, 0]
  return `${MARK}${on}m${text}${MARK}${off}m`
}

/** Writes text of one or more lines. */
export function write(output: Output, text: string): void {
  const [clear = ''] = CLEAR.exec(text) ?? []
  const lines = text.slice(clear.length).split('\n').map(cleaned)
  output.write(clear + lines.join('\n').replaceAll(MARKED, '\u001B[$1m'))
}

/** Writes a patch: to a terminal as any other text, else byte for byte, for `git apply`. */
export function writePatch(output: NodeJS.WriteStream, patch: string): void {
  if (output.isTTY) write(output, patch)
  else output.write(patch)
}

/** Writes a value as JSON, in one line without `indent`, in ASCII where a terminal would act upon a character. */
export function writeJson(output: Output, value: unknown, indent = 2): void {
  // Whole: a replay reads what was exported.
  const hidden = (text: string) => redactKeys(text, [], Number.POSITIVE_INFINITY)
  const json = JSON.stringify(value, (_, each) => (typeof each === 'string' ? hidden(each) : each), indent)
  output.write(`${json.replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}\n`)
}

// Tabs are harmless, and indent what is shown of a file.
const cleaned = (line: string): string =>
  line
    .split('\t')
    .map((part) => foreignLines(part))
    .join('\t')

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

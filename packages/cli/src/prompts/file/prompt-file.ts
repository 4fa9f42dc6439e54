import { messageOf } from '@svc/core/log'
import { Mistake } from '../mistake.ts'
import type { Prompt } from '../prompt.ts'
import { formatChat, parseChat } from './chat-file.ts'
import type { ReadFile } from './read-file.ts'
import { formatText, parseText } from './text-file.ts'

const TEXT = '.md'
const CHAT = ['.yaml', '.yml']

/** Whether a file name is that of a prompt; a README is not one. */
export function isPromptFile(path: string): boolean {
  return [TEXT, ...CHAT].some((ending) => path.endsWith(ending)) && !/(?:^|\/)readme\.md$/i.test(path)
}

/** Returns `.md` for a text prompt, `.yaml` for a chat prompt. */
export const endingOf = ({ content }: Prompt): string => (content.type === 'text' ? TEXT : '.yaml')

/** Formats a prompt as a file that parses to exactly the same prompt. */
export function formatPrompt({ content, ...more }: Prompt): string {
  return content.type === 'text' ? formatText({ ...more, content }) : formatChat({ ...more, content })
}

/**
 * @param file path for messages
 * @throws {Mistake} with line and column
 */
export function parsePrompt(bytes: Uint8Array, file: string): ReadFile {
  const source = unixLines(decode(bytes, file))
  try {
    return file.endsWith(TEXT) ? parseText(source, file) : parseChat(source, file)
  } catch (error) {
    if (error instanceof Mistake) throw error
    // The parser may give up in its own way: too many aliases, too many levels.
    throw new Mistake(file, { line: 1, column: 1 }, `it cannot be read: ${messageOf(error)}`)
  }
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    // Removes the byte order mark that some editors add.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Mistake(file, { line: 1, column: 1 }, 'the file is not in UTF-8')
  }
}

// Git on Windows may change the line breaks of a file; CRLF that belongs to a prompt is written as an escape.
const unixLines = (source: string): string => (/^[^\n]*\r\n/.test(source) ? source.replaceAll('\r\n', '\n') : source)

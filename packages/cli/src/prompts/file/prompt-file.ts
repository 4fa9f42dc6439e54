import { Mistake } from '../failure.ts'
import type { Prompt } from '../prompt.ts'
import { formatChat, parseChat } from './chat-file.ts'
import type { ReadFile } from './read-file.ts'
import { formatText, parseText } from './text-file.ts'

const TEXT = '.md'
const CHAT = ['.yaml', '.yml']

/** Whether a file of that name holds a prompt. A README explains the folder to people. */
export function isPromptFile(path: string): boolean {
  return [TEXT, ...CHAT].some((ending) => path.endsWith(ending)) && !/(?:^|\/)readme\.md$/i.test(path)
}

/** `.md` for a text, `.yaml` for a chat. */
export const endingOf = ({ content }: Prompt): string => (content.type === 'text' ? TEXT : '.yaml')

/** The file of a prompt: read again it is the same prompt, character by character. */
export function formatPrompt({ content, ...more }: Prompt): string {
  return content.type === 'text' ? formatText({ ...more, content }) : formatChat({ ...more, content })
}

/**
 * @param file its path, for messages
 * @throws {Mistake} with line and column
 */
export function parsePrompt(bytes: Uint8Array, file: string): ReadFile {
  const source = unixLines(decode(bytes, file))
  return file.endsWith(TEXT) ? parseText(source, file) : parseChat(source, file)
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    // Without the byte order mark that some editors put in front.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Mistake(file, { line: 1, column: 1 }, 'the file is not in UTF-8')
  }
}

// Git on Windows changes all line breaks of a file, and those that belong to a prompt are written as escapes.
const unixLines = (source: string): string => (/^[^\n]*\r\n/.test(source) ? source.replaceAll('\r\n', '\n') : source)

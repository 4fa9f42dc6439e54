import { createInterface } from 'node:readline/promises'
import { foreignText } from '@svc/core/foreign-text'
import { type Output, write } from './output.ts'

/** Whether a user can answer questions. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Standard output or error, or what stands for it. */
export interface Terminal extends Output {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

interface Dialogue {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Asks a question. Any answer but y and yes is no; so are Ctrl-C, Ctrl-D and the end of the input. */
export async function confirm(
  question: string,
  { input, output }: Dialogue = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  const prompt = createInterface({ input, output })
  const closed = new Promise<string>((resolve) => prompt.once('close', () => resolve('')))
  const answer = prompt.question(`${foreignText(question, LONGEST_QUESTION)} [y/N] `).catch(() => '')
  try {
    return /^y(es)?$/i.test((await Promise.race([answer, closed])).trim())
  } finally {
    prompt.close()
  }
}

const LONGEST_QUESTION = 1_000
const SHOWN_AFTER_MS = 500

const CLEAR_LINE = '\r\u001B[2K'

/** A line of a terminal that is written again and again, and cleared at the end. Writes nothing elsewhere. */
export function statusLine(terminal: Terminal = process.stderr) {
  let isShown = false
  return {
    show(text: string) {
      if (!terminal.isTTY) return
      isShown = true
      write(terminal, `${CLEAR_LINE}${text.slice(0, (terminal.columns || 80) - 1)}`)
    },
    clear() {
      if (isShown) write(terminal, CLEAR_LINE)
    },
  }
}

/** Shows the progress of a long run. */
export function progressLine(terminal?: Terminal, shownAfter = SHOWN_AFTER_MS) {
  const started = performance.now()
  const line = statusLine(terminal)
  return {
    update(done: number, all: number) {
      if (performance.now() - started >= shownAfter) line.show(`${done} of ${all} files`)
    },
    clear: line.clear,
  }
}

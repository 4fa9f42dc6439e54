import { createInterface } from 'node:readline/promises'

/** Whether there is somebody to ask. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

/** Asks a question; anything but y and yes is no. */
export async function confirm(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim())
  } finally {
    prompt.close()
  }
}

const SHOWN_AFTER_MS = 500

/** One line on a terminal that says how far a long run has come. Elsewhere there is none. */
export function progressLine(stream: NodeJS.WriteStream = process.stderr) {
  const started = performance.now()
  let isShown = false
  return {
    update(done: number, all: number) {
      if (stream.isTTY !== true || performance.now() - started < SHOWN_AFTER_MS) return
      isShown = true
      stream.write(`\r\x1b[K${done} of ${all} files`)
    },
    clear() {
      if (isShown) stream.write('\r\x1b[K')
    },
  }
}

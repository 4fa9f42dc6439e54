import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Program {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves when the program has written `line`; rejects when it ends without. */
  wrote(line: string): Promise<void>
}

/** Starts a program of `processes/` with the Node that runs the tests; nothing of the environment is inherited. */
export function start(
  program: string,
  args: readonly string[] = [],
  { flags = [], env = {} }: { flags?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Program {
  const path = fileURLToPath(new URL(`processes/${program}`, import.meta.url))
  const child = spawn(process.execPath, [...flags, path, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  // It may be alive where a test has failed.
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const check of waiting) check()
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout: lines.join('\n'), stderr }))
  })
  return {
    child,
    ended,
    wrote: (line) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!lines.includes(line)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
        void ended.then((end) => reject(new Error(`ended without writing ${line}: ${JSON.stringify(end)}`)))
      }),
  }
}

/** Runs a program to its end. */
export function run(...program: Parameters<typeof start>): Promise<Ended> {
  return start(...program).ended
}

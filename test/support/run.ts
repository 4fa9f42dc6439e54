import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface RunOptions {
  /** Variables of the child. Nothing is inherited but what finding programs needs. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** The Node to run. Default: the one that runs the tests. */
  readonly node?: string
  /** Of the preload, runs what `tsc` built of each file. Default: the bundle that is published. */
  readonly asBuilt?: boolean
}

/** How a process ended, and what it said. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

const running = new Set<Program>()

/** Ends all that run. */
export function endPrograms(): void {
  for (const program of running) program.kill('SIGKILL')
}

/** A running program: wait for a line, send a signal, wait for its end. */
export class Program {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  #stdout = ''
  #stderr = ''
  readonly #waiting = new Set<() => void>()

  constructor(command: string, args: readonly string[], { env = {}, cwd }: RunOptions) {
    const inherited = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR }
    // Where the types of Next are around, every environment has to have NODE_ENV.
    const variables: Record<string, string | undefined> = { ...inherited, ...env }
    this.child = spawn(command, args, { env: variables as NodeJS.ProcessEnv, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const [stream, add] of [
      [this.child.stdout, (line: string) => (this.#stdout += `${line}\n`)],
      [this.child.stderr, (line: string) => (this.#stderr += `${line}\n`)],
    ] as const) {
      if (!stream) throw new Error('the child has no output')
      createInterface({ input: stream }).on('line', (line) => {
        add(line)
        for (const check of this.#waiting) check()
      })
    }
    running.add(this)
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject)
      this.child.once('close', (code, signal) => {
        running.delete(this)
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr })
      })
    })
  }

  /** Resolves with the match of `pattern` in the output as soon as it is there; rejects when the program ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const match = pattern.exec(this.#stdout) ?? pattern.exec(this.#stderr)
        if (!match) return
        this.#waiting.delete(check)
        resolve(match)
      }
      this.#waiting.add(check)
      check()
      void this.ended.then(({ code, signal, stdout, stderr }) =>
        reject(new Error(`ended (${code ?? signal}) without saying ${pattern}:\n${stdout}${stderr}`)),
      )
    })
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }
}

/** The preload as npm users get it, in the place of what was built of each file. */
export const PUBLISHED = '--conditions=@svc/published'

/**
 * The deadlines of the product in every Node that is started. What they wait for may be in the process of a test, which
 * is busy, on a machine that is busier. A test that is about time, or about a service that never answers, has its own.
 */
const PATIENT = { SVC_TIMEOUT: '60', SVC_SHUTDOWN_TIMEOUT: '60' }

/** Starts `node …args`. */
export function startNode(args: readonly string[], { node = process.execPath, ...options }: RunOptions = {}): Program {
  const env = { ...PATIENT, ...options.env }
  return new Program(node, [...(options.asBuilt ? [] : [PUBLISHED]), ...args], { ...options, env })
}

/** Runs `node …args` to its end. */
export function runNode(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return startNode(args, options).ended
}

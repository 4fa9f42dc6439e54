import type { RunCommand } from '../command.ts'
import { Failure } from './failure.ts'

/** What all commands of `svc prompts` may be run with. */
export interface PromptFlags {
  readonly dir: string
  readonly label?: string
  readonly all?: boolean
  readonly force?: boolean
  readonly dryRun?: boolean
  readonly offline?: boolean
  readonly message?: string
}

/** What a command did. */
export interface Report {
  readonly lines: readonly string[]
  /** What went wrong while other things went right. */
  readonly errors?: readonly string[]
  /** Default: whether there are no errors. */
  readonly isFine?: boolean
}

/** A command of `svc prompts`: what it reports is printed, what is wrong is one line each, and exit code 1. */
export function promptCommand(work: (names: readonly string[], flags: PromptFlags) => Promise<Report>): RunCommand {
  return async (names, flags) => {
    try {
      const { lines, errors = [], isFine = errors.length === 0 } = await work(names, { dir: 'prompts', ...flags })
      print(process.stdout, lines)
      print(process.stderr, errors)
      return isFine ? 0 : 1
    } catch (error) {
      print(process.stderr, linesOf(error))
      return 1
    }
  }
}

function print(stream: NodeJS.WriteStream, lines: readonly string[]): void {
  stream.write(lines.map((line) => `${line}\n`).join(''))
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof Failure) return error.lines
  const { code, syscall, path, message } = error as NodeJS.ErrnoException
  // A file that may not be read or written, a disk that is full.
  if (code !== undefined && syscall !== undefined) return [`${path ?? 'a file'}: ${message}`]
  throw error
}

import type { RunCommand } from '../command.ts'
import { Failure } from '../failure.ts'
import { type Output, write } from '../output.ts'

/** Flags of all commands of `svc prompts`. */
export interface PromptFlags {
  readonly dir: string
  readonly label?: string
  readonly all?: boolean
  readonly force?: boolean
  readonly dryRun?: boolean
  readonly offline?: boolean
  readonly message?: string
  readonly yes?: boolean | undefined
}

/** The output of a command. */
export interface Report {
  readonly lines: readonly string[]
  /** Lines for stderr, for a partial failure. */
  readonly errors?: readonly string[]
  /** Whether the exit code is 0. Default: without errors. */
  readonly isFine?: boolean
}

/** Returns a command of `svc prompts`: prints its report; on failure, prints one line each and returns exit code 1. */
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

function print(stream: Output, lines: readonly string[]): void {
  write(stream, lines.map((line) => `${line}\n`).join(''))
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof Failure) return error.lines
  const { code, syscall, path, message } = error as NodeJS.ErrnoException
  // An error of the file system: no permission, no space.
  if (code !== undefined && syscall !== undefined) return [`${path ?? 'a file'}: ${message}`]
  throw error
}

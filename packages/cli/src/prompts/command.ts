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

/** Returns a command of `svc prompts`, which prints its report. */
export function promptCommand(work: (names: readonly string[], flags: PromptFlags) => Promise<Report>): RunCommand {
  return async (names, flags) => {
    const report = await work(names, { dir: 'prompts', ...flags }).catch(rejectWithPath)
    const { lines, errors = [], isFine = errors.length === 0 } = report
    print(process.stdout, lines)
    print(process.stderr, errors)
    return isFine ? 0 : 1
  }
}

function print(stream: Output, lines: readonly string[]): void {
  write(stream, lines.map((line) => `${line}\n`).join(''))
}

/** @throws {Failure} for an error of the file system: no permission, no space */
function rejectWithPath(error: NodeJS.ErrnoException): never {
  const { code, syscall, path, message } = error
  if (code !== undefined && syscall !== undefined) throw new Failure(`${path ?? 'a file'}: ${message}`)
  throw error
}

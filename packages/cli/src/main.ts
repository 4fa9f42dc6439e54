import { VERSION } from '@svc/core/version'
import { Command } from 'commander'
import type { CommandGroup, CommandRow } from './command.ts'
import { COMMANDS } from './commands.ts'

/** Exit code for invalid arguments, as that of `svc-local`. */
const MISUSED = 2
const FAILED = 1

/** Runs the command in `argv`, and sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', outputFailed)
  const program = new Command('svc')
    .description('Tools for svc: traces of LLM calls.')
    .version(VERSION)
    .enablePositionalOptions()
    .helpCommand(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : MISUSED))
  for (const row of COMMANDS) declare(program, row)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const [{ Failure }, { write }] = await Promise.all([import('./failure.ts'), import('./output.ts')])
    const lines = error instanceof Failure ? error.lines : [`svc: ${isOfSystem(error) ? error.message : error}`]
    write(process.stderr, `${lines.join('\n')}\n`)
    process.exitCode = FAILED
  }
}

/** A reader that leaves (`svc ... | head`) changes neither what the command does nor its exit code. */
function outputFailed(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`svc: the output cannot be written: ${error.message}\n`)
  process.exit(FAILED)
}

/** Whether it is an error of the file system: no permission, no space. */
const isOfSystem = (error: Error): boolean => 'syscall' in error && 'code' in error

function declare(parent: Command, row: CommandRow | CommandGroup): void {
  const command = parent.command(row.name).description(row.summary).helpCommand(false)
  if ('commands' in row) for (const below of row.commands) declare(command, below)
  else declareRun(command, row)
}

function declareRun(
  command: Command,
  { operands, flags = [], more, readsItsOwnFlags, endsWithCommand, load }: CommandRow,
): void {
  for (const [flag, description] of flags) command.option(flag, description)
  for (const operand of operands?.split(' ') ?? []) command.argument(operand)
  if (more) command.addHelpText('after', more)
  if (readsItsOwnFlags) command.argument('[flags...]').helpOption(false).allowUnknownOption().passThroughOptions()
  if (endsWithCommand) command.passThroughOptions()
  command.action(async () => {
    const { run } = await load()
    process.exitCode = await run(command.args, command.opts())
  })
}

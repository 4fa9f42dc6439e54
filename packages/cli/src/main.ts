import { VERSION } from '@svc/core/version'
import { Command } from 'commander'
import type { CommandRow } from './command.ts'
import { COMMANDS } from './commands.ts'

/** Exit code of a command line that makes no sense, as that of `svc-local`. */
const MISUSED = 2

/** Runs the command that `argv` names, and sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('svc')
    .description('Tools for svc: traces of LLM calls.')
    .version(VERSION)
    .enablePositionalOptions()
    .helpCommand(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : MISUSED))
  for (const row of COMMANDS) declare(program.command(row.name), row)
  await program.parseAsync(argv)
}

function declare(command: Command, { summary, operands, flags = [], more, readsItsOwnFlags, load }: CommandRow): void {
  command.description(summary)
  for (const [flag, says] of flags) command.option(flag, says)
  if (operands) command.argument(operands)
  if (more) command.addHelpText('after', more)
  if (readsItsOwnFlags) command.argument('[flags...]').helpOption(false).allowUnknownOption().passThroughOptions()
  command.action(async () => {
    const { run } = await load()
    process.exitCode = await run(command.args, command.opts())
  })
}

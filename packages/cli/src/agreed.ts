import { Failure } from './failure.ts'
import { confirm, isInteractive } from './terminal.ts'

/** Returns if what was listed may be done: with `--yes`, or where the user agrees. @throws {Failure} where not */
export async function agreed(command: string, question: string, yes: unknown): Promise<void> {
  if (yes === true) return
  if (!isInteractive()) throw new Failure(`${command}: nothing was done, as nobody can be asked here: add --yes`)
  if (!(await confirm(question))) throw new Failure(`${command}: nothing was done`)
}

import { hostVariables } from '@svc/core/environment'
import type { RunCommand } from './command.ts'
import { Failure } from './failure.ts'
import { SVC } from './own-command.ts'
import { exitCodeOf, preloadFor, runPreloaded } from './preloaded.ts'

/** `svc run`: runs a command with the preload in each Node process of it, and ends as the command does. */
export const run: RunCommand = async (command) => {
  if (command.length === 0) throw new Failure(`svc run: name a command: ${SVC} run -- npm start`)
  const folder = process.cwd()
  const preload = preloadFor(folder)
  if (preload === undefined) throw new Failure('svc run: @svc/register is not installed: npm i @svc/register')
  const ended = await runPreloaded(command, [preload], { folder, host: hostVariables(), stdio: 'inherit' })
  if (ended.error) throw new Failure(`svc run: ${command[0]} cannot be started: ${ended.error.message}`)
  return exitCodeOf(ended)
}

import { constants } from 'node:os'
import { join } from 'node:path'
import { hostVariables } from '@svc/core/environment'
import type { RunCommand } from './command.ts'
import { Failure } from './failure.ts'
import { preloadOf, runPreloaded } from './preloaded.ts'

/** `svc run`: runs a command with the preload in each Node process of it, and ends as the command does. */
export const run: RunCommand = async (command) => {
  if (command.length === 0) throw new Failure('svc run: name a command: svc run -- npm start')
  const folder = process.cwd()
  // That of the application, of which there should be one copy, else the one beside this package.
  const preload = preloadOf(folder) ?? preloadOf(join(import.meta.dirname, '../../register'))
  if (preload === undefined) throw new Failure('svc run: @svc/register is not installed: npm i @svc/register')
  const { code, signal, error } = await runPreloaded(command, [preload], {
    folder,
    host: hostVariables(),
    stdio: 'inherit',
  })
  if (error) throw new Failure(`svc run: ${command[0]} cannot be started: ${error.message}`)
  // As a shell does.
  return code ?? 128 + (signal ? constants.signals[signal] : 0)
}

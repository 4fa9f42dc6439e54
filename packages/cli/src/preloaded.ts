import { type SpawnOptions, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** How a command ended. */
export interface EndedCommand {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Set if it could not be started. */
  readonly error?: Error
}

/** What ends a program, and a terminal sends to all of its programs itself, but for SIGTERM. */
const ENDING = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

interface PreloadedOptions extends Pick<SpawnOptions, 'stdio'> {
  readonly folder: string
  readonly host: Readonly<Record<string, string | undefined>>
}

/** Returns the preload that is installed for a folder as a URL; undefined if it is not. */
export function preloadOf(folder: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve('@svc/register')).href
  } catch {
    return undefined
  }
}

/** That of the application, of which there should be one copy, else the one beside this package. */
export const preloadFor = (folder: string): string | undefined =>
  preloadOf(folder) ?? preloadOf(join(import.meta.dirname, '../../register'))

/** The exit code of a command that ended, as a shell has it. */
export const exitCodeOf = ({ code, signal }: EndedCommand): number =>
  code ?? 128 + (signal ? constants.signals[signal] : 0)

/**
 * Runs a command with modules preloaded in each Node process that it starts. They are named by URL: a package name would
 * end every Node program in a folder that does not have the package. Signals are passed to the command.
 */
export function runPreloaded(
  [program = '', ...args]: readonly string[],
  preloads: readonly string[],
  { folder, host, ...options }: PreloadedOptions,
): Promise<EndedCommand> {
  const flags = [host.NODE_OPTIONS, ...preloads.map((url) => `--import ${url}`)]
  const env = { ...host, NODE_OPTIONS: flags.filter((each) => each).join(' ') }
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, cwd: folder, env, shell: process.platform === 'win32' })
    // A second signal would end the app at once.
    const pass = (signal: NodeJS.Signals) => {
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal)
    }
    for (const signal of ENDING) process.on(signal, pass)
    const end = (ended: EndedCommand) => {
      for (const signal of ENDING) process.removeListener(signal, pass)
      resolve(ended)
    }
    child.once('error', (error) => end({ code: null, signal: null, error }))
    child.once('close', (code, signal) => end({ code, signal }))
  })
}

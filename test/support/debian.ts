import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Program } from './run.ts'

/** What a hook may take that needs a program: where there is none, it is installed first. */
export const INSTALL_TIMEOUT = 300_000

/** The path of a program of this machine. Where there is none, and this is root's Debian, its package is installed. */
export async function programOf(debianPackage: string, ...names: string[]): Promise<string> {
  const command = `apt-get update && apt-get install -y --no-install-recommends ${debianPackage}`
  const output = mayInstall() ? await install(debianPackage, names, command) : 'Only root can install it, with apt-get.'
  const program = which(...names)
  if (!program) throw new Error(`None of ${names.join(', ')} is on the PATH. Do: ${command}\n${output}`)
  return program
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && which('apt-get') !== undefined && which('flock') !== undefined
}

/** Behind a lock: a second file of tests must not take a program that is half unpacked for one that is there. */
async function install(debianPackage: string, names: readonly string[], command: string): Promise<string> {
  // Not in the temporary folder: each run of the tests has its own.
  const lock = `/run/lock/svc-tests-${debianPackage}.lock`
  const wanted = names.map((name) => `command -v ${name}`).join(' || ')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { stdout, stderr } = await new Program('flock', [lock, 'sh', '-c', `${wanted} || (${command})`], { env }).ended
  return stdout + stderr
}

function which(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

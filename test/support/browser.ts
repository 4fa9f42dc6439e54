import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { Program } from './run.ts'

/** What a hook may take that opens a browser: where there is none, it is installed first. */
export const BROWSER_TIMEOUT = 300_000

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends chromium'

/** Opens the Chromium of this machine. Where there is none, and this is root's Debian, its package is installed. */
export async function openBrowser(): Promise<Browser> {
  const said = mayInstall() ? await install() : 'Only root can install it, with apt-get.'
  const executablePath = which(...NAMES)
  if (!executablePath) {
    throw new Error(`No Chromium: none of ${NAMES.join(', ')} is on the PATH. Do: ${INSTALL}\n${said}`)
  }
  // A container has no user namespaces for the sandbox, and little shared memory. Only our own pages are shown.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

/** What a page complains about, from now on: exceptions, and errors on its console, answers of 400 and above included. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return complaints
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && which('apt-get') !== undefined && which('flock') !== undefined
}

/** Behind a lock: a second file of tests must not take a Chromium that is half unpacked for one that is there. */
async function install(): Promise<string> {
  const lock = join(tmpdir(), 'svc-tests-chromium.lock')
  const wanted = NAMES.map((name) => `command -v ${name}`).join(' || ')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { stdout, stderr } = await new Program('flock', [lock, 'sh', '-c', `${wanted} || (${INSTALL})`], { env }).ended
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

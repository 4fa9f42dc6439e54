import { type Browser, chromium, type Page } from 'playwright-core'
import { INSTALL_TIMEOUT, programOf } from './debian.ts'

/** What a hook may take that opens a browser: where there is none, it is installed first. */
export const BROWSER_TIMEOUT = INSTALL_TIMEOUT

/**
 * How long a page may take for anything on a busy machine: less than a test may, whose timeout would not say what was
 * missing.
 */
const PATIENCE = 100_000

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Opens the Chromium of this machine. Where there is none, and this is root's Debian, its package is installed. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await programOf('chromium', ...NAMES)
  // A container has no user namespaces for the sandbox, and little shared memory. Only our own pages are shown.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  return browser.on('context', (context) => context.setDefaultTimeout(PATIENCE))
}

/** What a page complains about, from now on: exceptions, and errors on its console, answers of 400 and above included. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return complaints
}

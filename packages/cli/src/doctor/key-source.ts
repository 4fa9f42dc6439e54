import { exportSettings, networkSettings } from '@svc/core/settings'
import { confirm, isInteractive } from '../terminal.ts'
import type { AppVariables } from './app/variables.ts'
import { printable } from './secrets.ts'

/** What decides where requests go, and who can read them. */
const ROUTES = [
  exportSettings.baseUrl,
  networkSettings.httpProxy,
  networkSettings.httpsProxy,
  networkSettings.certificate,
]
const SECRETS = [
  exportSettings.publicKey,
  exportSettings.secretKey,
  exportSettings.additionalHeaders,
  networkSettings.clientKey,
]

/**
 * Returns what would go where it does not belong: keys go to an address of the environment, and to that of the file that
 * they are in themselves. A file of a cloned folder could name anybody's address.
 */
export function strayKeys({ of }: Pick<AppVariables, 'of'>): string | undefined {
  for (const address of ROUTES.flatMap((row) => of(row) ?? [])) {
    const strays = SECRETS.flatMap((row) => of(row) ?? []).filter(({ source }) => source !== address.source)
    const [{ source = '' } = {}] = strays
    if (address.source === 'environment' || strays.length === 0) continue
    const names = strays.map(({ name }) => name).join(', ')
    return `${address.name}=${printable(address.name, address.value)} (${address.source}) would get ${names} (${source})`
  }
  return undefined
}

/** Whether keys may go where {@link strayKeys} says: with `--yes`, or if the user agrees. */
export async function isAgreed(stray: string, yes: unknown): Promise<boolean> {
  return yes === true || (isInteractive() && (await confirm(`${stray}. Send them there?`)))
}

import { HEADER } from './attributes.ts'
import type { Settings } from './setting.ts'
import { type exportSettings, publicKey, secretKey } from './settings.ts'

/** Names of what is missing before anything can be sent: the keys, unless the user authorizes in his own way. */
export function missingKeys(
  settings: Pick<Settings<typeof exportSettings>, 'publicKey' | 'secretKey' | 'additionalHeaders'>,
): string[] {
  const headers = Object.keys(settings.additionalHeaders).map((name) => name.toLowerCase())
  if (headers.includes(HEADER.AUTHORIZATION)) return []
  const rows = { publicKey, secretKey }
  const keys = ['publicKey', 'secretKey'] as const
  return keys.filter((key) => settings[key] === undefined).flatMap((key) => rows[key].env)
}

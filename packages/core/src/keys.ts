import type { Settings } from './setting.ts'
import type { exportSettings } from './settings.ts'
import { publicKey, secretKey } from './settings-first.ts'

/** Returns the variables of the missing API keys; none are missing if the user sets an `authorization` header. */
export function missingKeys(
  settings: Pick<Settings<typeof exportSettings>, 'publicKey' | 'secretKey' | 'additionalHeaders'>,
): string[] {
  const headers = Object.keys(settings.additionalHeaders).map((name) => name.toLowerCase())
  if (headers.includes('authorization')) return []
  const rows = { publicKey, secretKey }
  const keys = ['publicKey', 'secretKey'] as const
  return keys.filter((key) => settings[key] === undefined).flatMap((key) => rows[key].env)
}

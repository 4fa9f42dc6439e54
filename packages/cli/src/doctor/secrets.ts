import { foreignText } from '@svc/core/foreign-text'
import { SETTINGS } from '../migrate/env/names.ts'

const LOOKS_SECRET = /KEY|SECRET|TOKEN|PASSWORD|PASSWD|HEADERS|DSN|CREDENTIAL|AUTH/i
/** Four characters would reveal too much of a shorter secret. */
const SHORTEST_TOLD = 12

/** Returns a value for output: of a secret only its last four characters. */
export function printable(name: string, value: string): string {
  const row = SETTINGS.find(({ env }) => env.includes(name))
  const isSecret = row ? row.secret === true : LOOKS_SECRET.test(name)
  if (isSecret) return value.length < SHORTEST_TOLD ? '…' : `…${value.slice(-4)}`
  return foreignText(value, 120).replace(/\/\/[^/@\s]*@/, '//(hidden)@')
}

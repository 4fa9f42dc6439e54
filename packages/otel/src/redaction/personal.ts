import { findCards, findIbans } from './bank.ts'
import { findEmails } from './email.ts'
import { findIps } from './ip.ts'
import { findPhones } from './phone.ts'
import type { Rule } from './redact-text.ts'

/** In the order of their precedence. */
const PERSONAL: readonly Rule[] = [
  { kind: 'email', find: findEmails },
  { kind: 'iban', find: findIbans },
  { kind: 'card', find: findCards },
  { kind: 'ip', find: findIps },
  { kind: 'phone', find: findPhones },
]

/** Returns what hides personal data. Loaded only where some of it is to be hidden. */
export const personal = (): readonly Rule[] => PERSONAL

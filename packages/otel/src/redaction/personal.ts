import { findEmails } from './email.ts'
import { numberFinder } from './numbers.ts'
import type { Rule } from './redact-text.ts'

/** Returns what hides personal data. Loaded only where some of it is to be hidden. */
export function personal(asked: ReadonlySet<string>): readonly Rule[] {
  const rules: Rule[] = asked.has('email') ? [{ kind: 'email', find: findEmails }] : []
  const find = numberFinder(asked)
  return find ? [...rules, { kind: 'number', find }] : rules
}

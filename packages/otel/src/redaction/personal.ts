import { findEmails } from './email.ts'
import { numberFinder } from './numbers.ts'
import type { Rule } from './redact-text.ts'

/** Returns what hides personal data. Loaded only where some of it is to be hidden. */
export function personal(asked: ReadonlySet<string>): readonly Rule[] {
  const rules: Rule[] = asked.has('email') ? [{ kind: 'email', find: findEmails }] : []
  const find = numberFinder(asked)
  return find ? [...rules, { kind: 'number', find: (text) => find(typed(text)) }] : rules
}

/** The same text with the blanks and hyphens of a keyboard for those of typesetters, which stand in telephone numbers. */
function typed(text: string): string {
  return TYPESET.test(text) ? text.replace(BLANKS, ' ').replace(HYPHENS, '-') : text
}

const TYPESET = /[\u00a0\u2007-\u2012\u202f\u2212]/
const BLANKS = /[\u00a0\u2007-\u200a\u202f]/g
const HYPHENS = /[\u2010-\u2012\u2212]/g

import { findEmails } from './email.ts'
import { numberFinder } from './numbers.ts'
import type { Occurrence } from './occurrence.ts'
import type { Rule } from './redact-text.ts'

/** Returns what hides personal data. Loaded only where some of it is to be hidden. */
export function personal(asked: ReadonlySet<string>): readonly Rule[] {
  const rules: Rule[] = asked.has('email') ? [{ kind: 'email', find: findEmails }] : []
  const find = numberFinder(asked)
  return find ? [...rules, { kind: 'number', find: (text) => inUrl(find(typed(text)), text) }] : rules
}

/**
 * The same text with the blanks and hyphens of a keyboard for those of typesetters, which stand in telephone numbers, and
 * with blanks for signs that a URL encodes: their last letter is no part of the number behind it.
 */
function typed(text: string): string {
  const spaced = text.includes('+') ? text.replace(QUERY, (value) => value.replace(PLUS_AS_BLANK, ' ')) : text
  const plain = spaced.includes('%')
    ? spaced.replace(ENCODED, (code) => (PLUS.test(code) ? '+' : ' ').padStart(code.length))
    : spaced
  return TYPESET.test(plain) ? plain.replace(BLANKS, ' ').replace(HYPHENS, '-') : plain
}

/** With the whole of an encoded plus sign. */
function inUrl(found: readonly Occurrence[], text: string): readonly Occurrence[] {
  if (!text.includes('%')) return found
  return found.map((each) => {
    const plus = PLUS.exec(text.slice(Math.max(0, each.start - 4), each.start + 1))?.[0] ?? ''
    return plus ? { ...each, start: each.start + 1 - plus.length } : each
  })
}

/** A parameter, in which a plus sign is a blank. */
const QUERY = /[?&][\w.-]{1,64}=[^&\s]{1,256}/g
const PLUS_AS_BLANK = /(?<=\d)\+(?=\d)/g
const ENCODED = /%(?:25)?(?:2[\dA-F]|3[A-F]|5[BD]|7[BD]|0[9AD])/gi
const PLUS = /%(?:25)?2B$/i

const TYPESET = /[\u00a0\u2007-\u2012\u202f\u2212]/
const BLANKS = /[\u00a0\u2007-\u200a\u202f]/g
const HYPHENS = /[\u2010-\u2012\u2212]/g

import { isWord } from './characters.ts'
import type { Occurrence } from './occurrence.ts'

const LONGEST_LOCAL = 64
const SIGNS = new Set([..."._%+'-"].map((sign) => sign.charCodeAt(0)))
const DOMAIN =
  /(?:[a-z\d\u00c0-\u052f](?:[a-z\d\u00c0-\u052f-]{0,62})\.){1,8}(?:[a-z]{2,24}(?![a-z\d])|[\u0400-\u052f]{2,24})/iy
/** A version (`react@18.2.0-rc.next`), and the size of an image (`logo@2x.png`). */
const NO_DOMAIN = /\d+\.\d|\dx\./y
const AT = ['@', '%40', '%2540']
/** What is encoded before an address in a URL, but for a plus sign and an apostrophe: up to here it is no part of one. */
const BEFORE_LOCAL = /^.*%(?:25)?(?:2[0-4689ac-f]|3[a-f]|5[bd]|7[bd]|0[9ad])/i
const PLUS = /%(?:25)?2b/gi

/** E-mail addresses, also as a query has them. */
export function findEmails(text: string): readonly Occurrence[] {
  const found: Occurrence[] = []
  for (const sign of AT) {
    for (let at = text.indexOf(sign), floor = 0; at >= 0; at = text.indexOf(sign, at + 1)) {
      const end = domainEnd(text, at + sign.length)
      if (end === undefined) continue
      const start = localStart(text, at, floor)
      if (start === at || (sign === '@' && isLogin(text, start, at, end))) continue
      floor = end
      const local = text.slice(start, at).replace(PLUS, '+')
      found.push({ start, end, value: `${local}@${text.slice(at + sign.length, end)}`.toLowerCase() })
    }
  }
  return found
}

function localStart(text: string, at: number, floor: number): number {
  const first = Math.max(floor, at - LONGEST_LOCAL)
  let start = at
  while (start > first && isLocal(text.charCodeAt(start - 1))) start -= 1
  const written = text.slice(start, at)
  if (written.includes('%')) start += BEFORE_LOCAL.exec(written)?.[0].length ?? 0
  while (start < at && /[.'%-]/.test(text.charAt(start))) start += 1
  return start
}

/** Letters of alphabets, and not of scripts without spaces between words. */
const isLocal = (code: number): boolean => isWord(code) || (code >= 0xc0 && code <= 0x52f) || SIGNS.has(code)

function domainEnd(text: string, from: number): number | undefined {
  NO_DOMAIN.lastIndex = from
  DOMAIN.lastIndex = from
  return !NO_DOMAIN.test(text) && DOMAIN.test(text) ? DOMAIN.lastIndex : undefined
}

/** Whether it is a user at a machine: `git@github.com:a/b`, `postgres://reader@db.example.com`. */
function isLogin(text: string, start: number, at: number, end: number): boolean {
  const isRemote = text[end] === ':' && /[\w/~]/.test(text.charAt(end + 1))
  return isRemote || text.slice(start, at) === 'git' || text.slice(Math.max(0, start - 2), start) === '//'
}

import { digitsIn, digitsOf, isDigit, isWord } from './characters.ts'
import type { NumberForm } from './occurrence.ts'

/** Countries' codes as the International Telecommunication Union has assigned them. */
const COUNTRY =
  /^(?:1[2-9]\d{9}$|7|2(?:[07]|[1-689]\d)|3(?:[0-469]|[578]\d)|4(?:[013-9]|2\d)|5(?:[1-8]|[09]\d)|6(?:[0-6]|[789]\d)|8(?:[1246]|[0578]\d)|9(?:[0-58]|[679]\d))/

/** How numbers are written within a country. They have 9 to 12 digits. */
const FORM = new RegExp(
  `^(?:${[
    // North America: 555-123-4567, 1 555 123 4567.
    String.raw`(?:1[-. ])?[2-9]\d{2}([-. ])[2-9]\d{2}\1\d{4}`,
    // (555) 123-4567, (11) 91234-5678.
    String.raw`(?:[178][ -]?)?\(0?\d{2,5}\)[ -]?\d{2,5}(?:[ -]?\d{2,5}){1,3}`,
    // Russia: 8 912 345-67-89.
    String.raw`[78][ -]\d{3}[ -]\d{3}[ -]?\d{2}[ -]?\d{2}`,
    // China: 138 1234 5678.
    String.raw`1[3-9]\d([ -])\d{4}\2\d{4}`,
    // With a trunk prefix: 0170 1234567, 06 12 34 56 78, 090-1234-5678, 030/1234567, 0612345678.
    String.raw`\(?0[1-9]\d{0,4}\)?(?:[ ./-]{1,2}\d{2,8}){1,5}|0[1-9]\d{8,9}`,
  ].join('|')})$`,
)
const DATE =
  /^\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})(?![./-]?\d)|(?:19|20)\d\d([./-])(?:0?[1-9]|1[0-2])\2[0-3]?\d(?!\d)/
/** A dump of bytes goes on. */
const BYTES = /^[ .-][\da-f]{2}\b/i

/** Words before a number, in any form; the names of fields as well: `phone_number`, `homePhone`. */
const INTRODUCTION =
  /(?:(?:\b|_(?=tel|phone|fax))(?:tel|tél|(?:(?:tele|home|work|mobile|cell|user|contact|customer)_?)?phone(?:[ _-]?n(?:umber|o|r))?|mobile|cell|fax|whatsapp|sms|handy|fon|rufnummer|telefon\w{0,12}|téléphone|portable|móvil|movil|teléfono|celular|telefone|telemóvel|telefono|cellulare)\b|call (?:me|us|him|her|them)\b|appelez|llám\w{1,8}|ligue|chiam\w{1,8}|тел\.|телефон|моб|звон|电话|電話|手机|手機|携帯|联系|전화|연락|핸드폰|फ़ोन|फोन|मोबाइल|هاتف|جوال|اتصل)[^\d\n]{0,16}$/i
const LONGEST_INTRODUCTION = 30

/** Telephone numbers: international ones, those in a usual form, and what a word before them says. Seconds begin none. */
export const PHONE: NumberForm = {
  kind: 'phone',
  inRun: String.raw`(?<=(?<![\w.@#/+-]|\d\d:)([+(]?).)[\d ()./-]{5,22}\d(?!\w|[-.:/]\d)`,
  read: (match, text, start) => {
    // A bracket that was opened before belongs to the sentence.
    const written = !match.includes(')') || match.includes('(') ? match : (match.split(')', 1)[0] ?? '')
    return isPhone(text, start, written) ? { length: written.length, value: digitsOf(written) } : undefined
  },
}

/** Most groups of numbers are none: what costs least to say is asked first. */
function isPhone(text: string, start: number, written: string): boolean {
  const digits = digitsIn(written)
  if (digits < 7 || digits > 15 || DATE.test(written)) return false
  if (written.startsWith('+')) return isCountry(digitsOf(written))
  if (written.startsWith('00') && /[ /-]/.test(written)) return isCountry(digitsOf(written).slice(2))
  if (digits > 12) return false
  const end = start + written.length
  if (digits > 8 && FORM.test(written) && !BYTES.test(text.slice(end, end + 4))) return true
  return hasWord(text, start) && INTRODUCTION.test(text.slice(Math.max(0, start - LONGEST_INTRODUCTION), start))
}

/** Whether there is a word before a number, and no other number between them. */
function hasWord(text: string, start: number): boolean {
  let at = start - 1
  for (const first = Math.max(0, start - LONGEST_INTRODUCTION); at >= first; at--) {
    const code = text.charCodeAt(at)
    if (isDigit(code)) break
    if (code > 0x7f || isWord(code)) return true
  }
  // It may end with a digit.
  while (at >= 0 && isDigit(text.charCodeAt(at))) at -= 1
  return at >= 0 && isWord(text.charCodeAt(at))
}

const isCountry = (digits: string): boolean => digits.length >= 8 && COUNTRY.test(digits)

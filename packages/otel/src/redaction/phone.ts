import { type Finder, finder, type Occurrence } from './occurrence.ts'

const CANDIDATE = /(?<![\w.@#/+-])(?:\+|\()?\d(?:[\d ()./-]{5,22})\d(?!\w|[-.:/]\d)/g

/** Countries' codes as the International Telecommunication Union has assigned them. */
const COUNTRY =
  /^(?:1[2-9]\d{9}$|7|2(?:[07]|[1-689]\d)|3(?:[0-469]|[578]\d)|4(?:[013-9]|2\d)|5(?:[1-8]|[09]\d)|6(?:[0-6]|[789]\d)|8(?:[1246]|[0578]\d)|9(?:[0-58]|[679]\d))/

/** How numbers are written within a country. */
const FORMS: readonly RegExp[] = [
  // North America: 555-123-4567, 1 555 123 4567.
  /^(?:1[-. ])?[2-9]\d{2}([-. ])[2-9]\d{2}\1\d{4}$/,
  // (555) 123-4567, (11) 91234-5678.
  /^(?:[178][ -]?)?\(0?\d{2,5}\)[ -]?\d{2,5}(?:[ -]?\d{2,5}){1,3}$/,
  // Russia: 8 912 345-67-89.
  /^[78][ -]\d{3}[ -]\d{3}[ -]?\d{2}[ -]?\d{2}$/,
  // China: 138 1234 5678.
  /^1[3-9]\d([ -])\d{4}\1\d{4}$/,
  // With a trunk prefix: 0170 1234567, 06 12 34 56 78, 090-1234-5678, 030/1234567.
  /^\(?0[1-9]\d{0,4}\)?(?:[ ./-]{1,2}\d{2,8}){1,5}$/,
]
/** The same without anything between its digits: 0612345678. */
const PLAIN_FORM = /^0[1-9]\d{8,9}$/
const DATE =
  /^\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})(?![./-]?\d)|(?:19|20)\d\d([./-])(?:0?[1-9]|1[0-2])\2[0-3]?\d(?!\d)/
/** A dump of bytes goes on. */
const BYTES = /^[ .-][\da-f]{2}\b/i

/** Words before a number, in any form. */
const INTRODUCTION =
  /(?:\b(?:tel|tél|phone|mobile|cell|fax|whatsapp|sms|handy|fon|rufnummer|telefon\w{0,12}|téléphone|portable|móvil|movil|teléfono|celular|telefone|telemóvel|telefono|cellulare)\b|call (?:me|us|him|her|them)\b|appelez|llám\w{1,8}|ligue|chiam\w{1,8}|тел\.|телефон|моб|звон|电话|電話|手机|手機|携帯|联系|전화|연락|핸드폰|फ़ोन|फोन|मोबाइल|هاتف|جوال|اتصل)[^\d\n]{0,16}$/i
const LONGEST_INTRODUCTION = 30

/** Telephone numbers: international ones, those in a usual form, and what a word before them says. */
export const findPhones: Finder = finder([[CANDIDATE, phoneOf]])

function phoneOf({ 0: match, index: start }: RegExpExecArray, text: string): Occurrence | undefined {
  // A bracket that was opened before belongs to the sentence.
  const written = match.includes('(') || !match.includes(')') ? match : (match.split(')', 1)[0] ?? '')
  return isPhone(text, start, written) ? { start, end: start + written.length, value: digitsOf(written) } : undefined
}

const digitsOf = (text: string): string => (/\D/.test(text) ? text.replace(/\D/g, '') : text)

function isPhone(text: string, start: number, value: string): boolean {
  const digits = digitsOf(value)
  // Most numbers are no telephone's, and have nothing between their digits.
  const isPlain = digits.length === value.length
  if (digits.length < 7 || digits.length > 15 || (!isPlain && DATE.test(value))) return false
  if (value.startsWith('+')) return digits.length >= 8 && COUNTRY.test(digits)
  if (/^00[1-9]/.test(value) && /[ /-]/.test(value)) return digits.length >= 10 && COUNTRY.test(digits.slice(2))
  if (digits.length > 12) return false
  const isUsual = isPlain ? PLAIN_FORM.test(value) : digits.length >= 9 && FORMS.some((form) => form.test(value))
  if (isUsual && !BYTES.test(text.slice(start + value.length, start + value.length + 4))) return true
  return INTRODUCTION.test(text.slice(Math.max(0, start - LONGEST_INTRODUCTION), start))
}

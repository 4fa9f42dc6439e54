import { digitsOf, isWord } from './characters.ts'
import type { NumberForm } from './occurrence.ts'

/** Visa, Mastercard, American Express, Diners, Discover, JCB and UnionPay, with the digits that each has. */
const ISSUERS =
  /^(?:4\d{15}|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:6011|65\d\d|64[4-9]\d|35(?:2[89]|[3-8]\d))\d{12}|62\d{14}(?:\d{3})?)$/

/** Numbers of payment cards. */
export const CARD: NumberForm = {
  kind: 'card',
  inRun: String.raw`(?<=(?<![.+-])[2-6])(?:\d{3}(?:(?: \d{4}){3}(?: \d{3})?|(?:-\d{4}){3}(?:-\d{3})?|[ -]\d{6}[ -]\d{4,5})|\d{13,18})()(?!\w|[-.]\d)`,
  read: (written) => {
    const value = digitsOf(written)
    return ISSUERS.test(value) && hasLuhnSum(value) ? { length: written.length, value } : undefined
  },
}

/** The checksum of ISO/IEC 7812. */
function hasLuhnSum(digits: string): boolean {
  let sum = 0
  for (let at = digits.length - 1, isSecond = false; at >= 0; at--, isSecond = !isSecond) {
    const digit = (digits.charCodeAt(at) - 0x30) * (isSecond ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/** Characters of an IBAN, by country (registry of SWIFT). */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    '15NO 16BE 18DK FI FO GL NL SD FK 19MK SI 20AT BA EE KZ LT LU MN XK 21CH CR HR LI LV 22BG BH DE GB GE IE ME RS VA ' +
    '23AE GI IL IQ OM SO TL 24AD CZ ES MD PK RO SA SE SK TN VG 25LY PT ST 26IS TR 27BI DJ FR GR IT MC MR SM 28AL AZ BY CY DO GT ' +
    'HN HU LB NI PL SV 29BR EG PS QA UA 30JO KW MU YE 31MT SC 32LC 33RU'
  )
    .split(/ ?(?=\d\d)/)
    .flatMap((group) =>
      group
        .slice(2)
        .split(' ')
        .map((country) => [country, Number(group.slice(0, 2))] as const),
    ),
)

/** International bank account numbers. */
export const ACCOUNT: NumberForm = {
  kind: 'iban',
  form: String.raw`\d(?<=(?<!\w)([A-Za-z]{2}).)\d(?:[ -]?[A-Za-z\d]{1,4}){3,8}`,
  read: (written, text, start) => {
    const characters = LENGTHS.get(written.slice(0, 2).toUpperCase()) ?? Number.POSITIVE_INFINITY
    let length = 0
    for (let taken = 0; taken < characters; length++) {
      if (length === written.length) return undefined
      if (isWord(written.charCodeAt(length))) taken += 1
    }
    if (isWord(text.charCodeAt(start + length))) return undefined
    const value = written.slice(0, length).replace(/[ -]/g, '').toUpperCase()
    return hasIbanSum(value) ? { length, value } : undefined
  },
}

/** The checksum of ISO 13616. */
function hasIbanSum(iban: string): boolean {
  let rest = 0
  for (let at = 0; at < iban.length; at++) {
    const code = iban.charCodeAt((at + 4) % iban.length)
    // Letters are numbers of two digits, from A for 10.
    rest = code > 0x39 ? (rest * 100 + code - 0x37) % 97 : (rest * 10 + code - 0x30) % 97
  }
  return rest === 1
}

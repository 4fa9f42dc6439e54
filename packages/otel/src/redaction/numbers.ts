import { ACCOUNT, CARD } from './bank.ts'
import { isDigit } from './characters.ts'
import { IP_4, IP_6 } from './ip.ts'
import type { Finder, NumberForm, Occurrence } from './occurrence.ts'
import { PHONE } from './phone.ts'

const FORMS: readonly NumberForm[] = [CARD, IP_4, PHONE, ACCOUNT, IP_6]
/** A digit behind no word, in what may be a number with signs between its digits. */
const RUN = String.raw`\d(?<!\w.)(?=[\d ()./-]{6})`
/** How a card's number or an address begins inside of what is none, in so many characters. */
const INNER = /(?!^)(?<!\w)(?:[2-6]\d{3}[ -]?\d{4}|\d{1,3}\.\d{1,3}\.\d)/
const BEGINNING = 9
const POINT = 0x2e
const GOES_ON = new Set([...' ./-'].map((sign) => sign.charCodeAt(0)))

/**
 * Returns what finds numbers of the kinds asked for. All are searched at once: a pass for each would cost as much as this one.
 */
export function numberFinder(asked: ReadonlySet<string>): Finder | undefined {
  const forms = FORMS.filter(({ kind }) => asked.has(kind))
  if (forms.length === 0) return undefined
  const runs = forms.flatMap(({ inRun }) => inRun ?? [])
  const whole = forms.flatMap(({ form }) => form ?? [])
  const pattern = new RegExp([...(runs.length > 0 ? [`${RUN}(?:${runs.join('|')})`] : []), ...whole].join('|'), 'g')
  // The group of each form says that it is the one.
  const byGroup = [...forms.filter(({ inRun }) => inRun), ...forms.filter(({ form }) => form)]
  return (text) => {
    const found: Occurrence[] = []
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      let group = 1
      while (match[group] === undefined) group += 1
      const form = byGroup[group - 1]
      const before = match[group] ?? ''
      const start = match.index - before.length
      const one = form?.read(before + match[0], text, start)
      if (form && one) {
        found.push({ start, end: start + one.length, value: one.value, kind: form.kind })
        pattern.lastIndex = start + one.length
      } else if (!form?.inRun) {
        pattern.lastIndex = match.index + 1
      } else {
        // Each group of a table of numbers may begin a telephone's: what is none is read once.
        const inner = mayHold(match[0]) ? match[0].search(INNER) : 0
        if (inner > 0) pattern.lastIndex = match.index + inner
        else if (GOES_ON.has(text.charCodeAt(pattern.lastIndex)))
          pattern.lastIndex -= Math.min(BEGINNING, match[0].length - 1)
      }
    }
    return found
  }
}

/** Whether it has what is in all of these, and in few tables: four digits together, or two points. */
function mayHold(written: string): boolean {
  let [digits, points] = [0, 0]
  for (let at = 0; at < written.length && digits < 4 && points < 2; at++) {
    const code = written.charCodeAt(at)
    digits = isDigit(code) ? digits + 1 : 0
    if (code === POINT) points += 1
  }
  return digits === 4 || points === 2
}

import { foreignText } from '@svc/core/foreign-text'
import { amount } from '../../amount.ts'
import type { Severity } from '../../severity.ts'
import { passageOf } from './guide.ts'
import type { Migration, Place } from './migrate-code.ts'

const TITLES: readonly (readonly [Severity, string])[] = [
  ['error', 'To do by hand'],
  ['warning', 'To check (listed again as long as the code does not show that it is right)'],
  ['info', 'Works, but behaves differently'],
]

/**
 * Returns the places to look at, those to change by hand first, with the line numbers `before` or `after` the rewrite.
 */
export function placesOf({ places }: Migration, moment: 'before' | 'after'): string {
  const sections = TITLES.flatMap(([severity, title]) => {
    const found = places.filter((each) => each.severity === severity)
    return found.length === 0 ? [] : [`${title}:\n${found.map((each) => placeOf(each, moment)).join('')}`]
  })
  const headings = new Set(places.filter(({ severity }) => severity !== 'info').map(({ heading }) => heading))
  const passages = [...headings].map(passageOf).filter((passage) => passage !== '')
  return [...sections, ...(passages.length > 0 ? [`How it is done now:\n\n${passages.join('\n\n')}\n`] : [])].join('\n')
}

function placeOf(place: Place, moment: 'before' | 'after'): string {
  const path = foreignText(place.path, Number.POSITIVE_INFINITY)
  const position = place[moment]
  const at = position ? `${path}:${position.line}:${position.column}` : path
  return `  ${at}\n    ${place.message.trim()}\n`
}

/** Returns the last lines: what was changed, and the next step. */
export function summaryOf({ read, changes, places }: Migration, verb: 'changed' | 'would change' | 'change'): string {
  const left = places.filter(({ severity }) => severity === 'error').length
  const done = changes.length === 0 ? 'Nothing to change' : `${amount(changes.length, 'file')} ${verb}`
  const todo =
    left === 0
      ? 'nothing is left to do by hand'
      : `${left} ${left === 1 ? 'place is' : 'places are'} left to do by hand`
  const next =
    verb === 'changed' && changes.some(({ path }) => path.endsWith('package.json'))
      ? '\nInstall the new versions: npm install'
      : ''
  return `${done} (${amount(read, 'file')} read), ${todo}.${next}`
}

import { amount } from '../amount.ts'
import { painted } from '../output.ts'
import type { Severity } from '../severity.ts'
import type { Section } from './checks.ts'
import type { Finding } from './finding.ts'

type Style = Parameters<typeof painted>[0]

const LABELS: Readonly<Record<Severity, { text: string; style: Style }>> = {
  ok: { text: 'ok', style: 'green' },
  info: { text: 'note', style: 'cyan' },
  warning: { text: 'warn', style: 'yellow' },
  error: { text: 'ERROR', style: 'red' },
}

const WIDEST = 100
/** With fewer columns, text is not indented. */
const NARROW = 50

/** Where a report is read. */
interface Page {
  readonly columns: number
  readonly hasColours: boolean
}

/** Returns the findings as text for a terminal, with a summary. */
export function reportOf(sections: readonly Section[], page: Page): string {
  const blocks = sections.map(({ title, findings }) =>
    [paint('bold', title, page), ...findings.map((finding) => shown(finding, page))].join('\n'),
  )
  return [...blocks, summary(sections, page)].join('\n\n')
}

/** Whether there are errors. */
export function hasObstacle(sections: readonly Section[]): boolean {
  return count(sections, 'error') > 0
}

function shown({ severity, seen, means, remedy }: Finding, page: Page): string {
  const { text, style } = LABELS[severity]
  const width = Math.max(20, Math.min(page.columns, WIDEST))
  const indent = width < NARROW ? '  ' : ' '.repeat(8)
  const label = `  ${paint(style, text.padEnd(5), page)} `
  const [first = '', ...rest] = wrapped(seen, width - 8)
  const more = [
    ...(means ? wrapped(means, width - indent.length) : []),
    ...wrappedRemedy(remedy, width - indent.length),
  ]
  return [label + first, ...rest.map((line) => ' '.repeat(8) + line), ...more.map((line) => indent + line)].join('\n')
}

function wrappedRemedy(remedy: string | undefined, width: number): string[] {
  if (remedy === undefined) return []
  return wrapped(remedy, width - 2).map((line, at) => (at === 0 ? '→ ' : '  ') + line)
}

function summary(sections: readonly Section[], page: Page): string {
  const errors = count(sections, 'error')
  const warnings = count(sections, 'warning')
  if (errors + warnings === 0) return paint('green', 'No errors found.', page)
  const parts = [amount(errors, 'error'), amount(warnings, 'warning')].filter((part) => !part.startsWith('0 '))
  const outcome = errors > 0 ? 'Start with the first error.' : 'No errors found.'
  const lines = wrapped(`${parts.join(', ')}. ${outcome}`, Math.max(20, page.columns))
  return lines.map((line) => paint(errors > 0 ? 'red' : 'yellow', line, page)).join('\n')
}

const count = (sections: readonly Section[], severity: Severity): number =>
  sections.flatMap(({ findings }) => findings).filter((finding) => finding.severity === severity).length

function paint(style: Style, text: string, { hasColours }: Page): string {
  return hasColours ? painted(style, text) : text
}

/**
 * Wraps text to lines of at most `width` characters. Longer words, such as paths, are not broken, so that they can be
 * copied.
 */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

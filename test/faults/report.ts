// `pnpm faults`: every fault and every way to end, ours beside stock OpenTelemetry in one run. Writes the table of
// test/faults/README.md, and fails where one of ours is not as it should be. Arguments: part of a name, to run only those.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ALL_CASES } from './all-cases.ts'
import { type Case, latenessOf, problemsOf } from './case.ts'
import { NEVER_MS, type Result } from './run.ts'

const PAGE = fileURLToPath(new URL('README.md', import.meta.url))
const [BEGIN, END] = ['<!-- table: faults -->', '<!-- end of table: faults -->']
/** Most of the time they wait; those that flood a processor come last and alone. */
const AT_ONCE = 6

interface Row {
  readonly svc: Result
  readonly stock: Result | undefined
}

const [, , filter = ''] = process.argv
const cases = ALL_CASES.filter(({ group, name }) => `${group} ${name}`.includes(filter))
const rows = new Map<Case, Row>()
let bad = 0

async function take(each: Case): Promise<void> {
  const svc = await each.run('svc')
  const stock = each.isOurs ? undefined : await each.run('stock')
  rows.set(each, { svc, stock })
  const problems = [...problemsOf(each.expected, svc), ...latenessOf(each.expected, svc)]
  bad += problems.length > 0 ? 1 : 0
  console.log(`${problems.length > 0 ? 'BAD' : 'ok '} ${each.group}: ${each.name} ${cells(svc).join(' ')}`)
  if (svc.note) console.log(`    ${svc.note}`)
  for (const problem of problems) console.log(`    ${problem}`)
}

const isHeavy = ({ group, name }: Case) => group === 'Memory' || name.includes('100,000')
const light = cases.filter((each) => !isHeavy(each))
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = light.shift(); next; next = light.shift()) await take(next)
  }),
)
for (const each of cases.filter(isHeavy)) await take(each)
if (filter === '') writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8')))
console.log(`${cases.length - bad} as expected, ${bad} not`)
process.exitCode = bad > 0 ? 1 : 0

function withTable(page: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${PAGE} has no place for the table`)
  return `${page.slice(0, from + BEGIN.length)}\n${table()}\n${page.slice(to)}`
}

function table(): string {
  const head = ['', 'Ended', 'Lost', 'Reported', 'Twice', 'Exit ms', 'Stock: lost', 'Exit ms']
  const lines = [head, head.map(() => '---')]
  for (const group of new Set(cases.map((each) => each.group))) {
    lines.push([`**${group}**`, '', '', '', '', '', '', ''])
    for (const each of cases.filter((one) => one.group === group)) {
      const row = rows.get(each)
      if (!row) continue
      const { svc, stock } = row
      lines.push([each.name, ...cells(svc), ...(stock ? [String(stock.lost), exitOf(stock)] : ['–', '–'])])
    }
  }
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function cells(result: Result): string[] {
  const { made, lost, reported, duplicates } = result
  return [made, lost, reported, duplicates].map(String).concat(exitOf(result))
}

function exitOf({ code, signal, exitMs }: Result): string {
  if (exitMs >= NEVER_MS) return 'never'
  if (signal && signal !== 'SIGTERM' && Number.isNaN(exitMs)) return `dies (${signal})`
  return Number.isNaN(exitMs) || (code === null && signal === null) ? '–' : String(Math.round(exitMs))
}

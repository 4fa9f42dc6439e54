// `npm run bench` runs every bench one after the other, `npm run bench -- start-up` only the one that is named. With
// `--write` the tables become bench/README.md; of what is not run, the section there stays.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, root } from './build.mjs'

const BENCHES = [
  'start-up',
  'span',
  'redaction',
  'observation',
  'instrumentation',
  'http-root',
  'request',
  'wire',
  'local',
  'replay',
  'edge-bundle',
  'next',
  'nest',
]
const PAGE = join(root, 'bench/README.md')

const args = process.argv.slice(2)
const writes = args.includes('--write')
const named = args.filter((arg) => arg !== '--write')
const unknown = named.filter((name) => !BENCHES.includes(name))
if (unknown.length > 0) {
  console.error(`bench: ${unknown.join(', ')} is not one of ${BENCHES.join(', ')}.`)
  process.exit(1)
}
build()
const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const sections = writes ? sectionsOf(PAGE) : new Map()
for (const name of named.length > 0 ? named : BENCHES) {
  const reports = join(scratch, `${name}.jsonl`)
  const env = { ...process.env, BENCH_REPORTS: reports }
  const { status } = spawnSync(process.execPath, [join(root, 'bench', `${name}.mjs`)], { stdio: 'inherit', env })
  if (status !== 0) process.exitCode = 1
  else if (writes) sections.set(name, sectionOf(name, readFileSync(reports, 'utf8')))
}
rmSync(scratch, { recursive: true })
if (writes) writeFileSync(PAGE, pageOf(sections))

/** The sections that the page has, by the name of their bench. */
function sectionsOf(page) {
  const [, ...parts] = readFileSync(page, 'utf8').split(/^(?=## )/m)
  return new Map(parts.map((part) => [/^## `(.+)`/.exec(part)[1], part]))
}

function sectionOf(name, reports) {
  const tables = reports.trim().split('\n').map(JSON.parse)
  const day = new Date().toISOString().slice(0, 10)
  const where = `Node ${process.versions.node}, ${availableParallelism()} cores, ${day}`
  return `## \`${name}\`

\`npm run bench -- ${name}\` (${where})

${tables.map(tableOf).join('\n')}
`
}

function tableOf({ title, note, rows }) {
  const columns = [...new Set(Object.values(rows).flatMap(Object.keys))]
  const line = (cells) => `| ${cells.join(' | ')} |`
  const body = Object.entries(rows).map(([name, row]) => line([name, ...columns.map((column) => row[column] ?? '')]))
  return `**${title}**

${line(['', ...columns])}
${line(['---', ...columns.map(() => '---:')])}
${body.join('\n')}

${note}
`
}

function pageOf(sections) {
  const [head] = readFileSync(PAGE, 'utf8').split(/^## /m)
  const inOrder = BENCHES.filter((name) => sections.has(name)).map((name) => sections.get(name).trim())
  return `${[head.trim(), ...inOrder].join('\n\n')}\n`
}

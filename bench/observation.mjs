// What an observation costs the main thread: startActiveObservation, update and end against an OpenTelemetry span
// with the same attributes, by the same provider.
import { fileURLToPath } from 'node:url'
import { alternate, child, report, round } from './measure.mjs'

const rounds = Number(process.argv[2] ?? 7)
const program = fileURLToPath(new URL('./parts/observations.mjs', import.meta.url))
const works = ['sync', 'async']
const sizes = [0, 4, 64]
const variants = works.flatMap((work) =>
  sizes.flatMap((size) => ['raw', 'svc'].map((who) => [`${who} ${work} ${size}`, `${who} ${work}`, `${size}`])),
)

const figures = await alternate(
  Object.fromEntries(variants.map(([name, ...args]) => [name, () => child([program, ...args])])),
  rounds,
)

const rows = works.flatMap((work) =>
  sizes.map((size) => {
    const [raw, svc] = ['raw', 'svc'].map((who) => figures[`${who} ${work} ${size}`])
    if (!(raw.written > 0) || raw.written !== svc.written) throw new Error(`${work} ${size}: different attributes`)
    const row = { 'span µs': round(raw.main, 2), 'observation µs': round(svc.main, 2) }
    return [`${work}, ${size} KB`, { ...row, '× span': round(svc.main / raw.main, 2) }]
  }),
)
report(
  'An observation',
  `CPU µs of the main thread: a generation with input of that size, model, usage and two keys of metadata, in work that
returns at once (sync) or a promise (async), one after the other; nothing is exported, medians of ${rounds} alternated
rounds. Does not show: export (bench span), garbage collection while many are open, deep contexts.`,
  Object.fromEntries(rows),
)

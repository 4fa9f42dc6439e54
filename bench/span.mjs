// What an exported span costs the main thread: our processor against the standard batch processor and exporter.
import { fileURLToPath } from 'node:url'
import { alternate, child, report, round, sink } from './measure.mjs'

const rounds = Number(process.argv[2] ?? 7)
const intake = await sink()
const part = (name) => () => child([fileURLToPath(new URL('./parts/spans.mjs', import.meta.url)), name, intake.url])

const figures = await alternate({ none: part('none'), standard: part('standard'), svc: part('svc') }, rounds)
intake.close()

const cost = (name) => figures[name].main - figures.none.main
report(
  'An exported span',
  `CPU µs a span over spans that nobody exports; 2,000 spans a second for 5 s, 12 attributes, 4 KB in, 2 KB out,
protobuf and gzip, medians of ${rounds} alternated rounds. Does not show: bursts, a slow intake.`,
  Object.fromEntries(
    ['standard', 'svc'].map((name) => [
      name,
      {
        'main thread µs': round(cost(name)),
        'whole process µs': round(figures[name].all - figures.none.all),
        'main thread × standard': round(cost(name) / cost('standard'), 2),
      },
    ]),
  ),
)

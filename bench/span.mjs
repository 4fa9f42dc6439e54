// What an exported span costs the main thread: our processor against the standard batch processor and exporter.
import { fileURLToPath } from 'node:url'
import { alternate, child, report, round, sink } from './measure.mjs'

const EXPORTED = ['standard', 'svc', 'svc, spool: always']
const rounds = Number(process.argv[2] ?? 7)
const intake = await sink()
const program = fileURLToPath(new URL('./parts/spans.mjs', import.meta.url))
const part = (name, pace) => () => child([program, name, intake.url, pace])
const variants = (pace) => Object.fromEntries(['none', ...EXPORTED].map((name) => [name, part(name, pace)]))

const figures = await alternate(variants('steady'), rounds)
const bursts = await alternate(variants('burst'), Math.min(rounds, 3))
intake.close()

const cost = (name) => figures[name].main - figures.none.main
const costOfAll = (name) => figures[name].all - figures.none.all
const delayOf = (name) => figures[name].delay - figures.none.delay
report(
  'An exported span',
  `CPU µs a span over spans that nobody exports; 2,000 spans a second for 5 s, 12 attributes, 4 KB in, 2 KB out,
protobuf and gzip, medians of ${rounds} alternated rounds. Loop delay: how long the event loop stands still around one moment
in a hundred, over that without an export (${round(figures.none.delay, 2)} ms). Burst: memory for 100,000 of them in one tick, over the
same (${round(bursts.none.memory)} MiB); of those the standard processor keeps 2,048. spool: always writes each span to disk within 50 ms.
Does not show: a slow endpoint.`,
  Object.fromEntries(
    EXPORTED.map((name) => [
      name,
      {
        'main thread µs': round(cost(name)),
        '× standard': round(cost(name) / cost('standard'), 2),
        'whole process µs': round(costOfAll(name)),
        '× standard ': round(costOfAll(name) / costOfAll('standard'), 2),
        'loop delay ms': round(delayOf(name), 2),
        '× standard  ': round(delayOf(name) / delayOf('standard'), 2),
        'burst MiB': round(bursts[name].memory - bursts.none.memory),
      },
    ]),
  ),
)

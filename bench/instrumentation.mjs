// What our instrumentation adds to a call of a model, to a chunk of a stream and to the start of an application, beside
// no instrumentation and the best others that work with the same major of a library.
// node instrumentation.mjs [blocks] [library]
import { alternate, child, inTurns, preload, report, round, sink } from './measure.mjs'
import { LIBRARIES } from './parts/calls/libraries.mjs'

const blocks = Number(process.argv[2] ?? 150)
const only = process.argv[3]
const part = (name) => new URL(`./parts/${name}.mjs`, import.meta.url).pathname
const quiet = { SVC_LOG_LEVEL: 'ERROR' }

const CHUNKS = 100

for (const [library, { peers }] of Object.entries(LIBRARIES)) {
  if (only && only !== library) continue
  const variants = ['none', 'svc', ...Object.keys(peers)]
  const of = (mode) => Object.fromEntries(variants.map((variant) => [variant, [part('calls'), variant, library, mode]]))
  const plain = await inTurns(of('plain'), blocks, quiet)
  const stream = await inTurns(of('stream'), blocks, quiet)
  const rows = variants.map((variant) => [
    variant,
    {
      'µs a plain call': round(plain[variant]),
      added: round(plain[variant] - plain.none),
      'µs a stream of 100': round(stream[variant]),
      // A stream is a call, and then its chunks.
      'added a chunk': round((stream[variant] - stream.none - plain[variant] + plain.none) / CHUNKS, 2),
    },
  ])
  report(
    `Calls of ${library}, 4 KB in, 2 KB out`,
    `Lowest deciles of ${blocks} blocks in turns; the model answers inside the process, nothing is exported.`,
    Object.fromEntries(rows),
  )
}

if (only) process.exit()

const kept = {}
for (const library of Object.keys(LIBRARIES))
  kept[library] = await child(['--expose-gc', part('calls'), 'svc', library, 'memory'], quiet)
report(
  '100,000 calls',
  'What still lives after a garbage collection.',
  Object.fromEntries(Object.entries(kept).map(([library, { kept }]) => [library, { 'KiB kept': round(kept) }])),
)

const intake = await sink()
const svc = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: intake.url, ...quiet }
const none = { SVC_INSTRUMENTATIONS: 'dns', SVC_DISABLED_INSTRUMENTATIONS: 'dns' }
const rounds = 60
const app = part('four-libraries')
const registered = ['--import', preload, app]
// The speed of a machine that others use wanders further than what is looked for: compared is what ran side by side.
const { start } = await alternate(
  {
    start: async () => {
      const { cpu: bare } = await child([app])
      const { cpu: blind } = await child(registered, { ...svc, ...none })
      const { cpu: seeing } = await child(registered, svc)
      return { bare, preload: blind - bare, instrumentation: seeing - blind }
    },
  },
  rounds,
)
intake.close()
report(
  'Start of an application that loads four libraries, CPU ms',
  `Medians of ${rounds} rounds; preload: what it adds where it sees no library, instrumentation: what seeing adds to that.`,
  Object.fromEntries(Object.entries(start).map(([part, cpu]) => [part, { 'CPU ms': round(cpu) }])),
)

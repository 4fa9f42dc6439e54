// What our instrumentation adds to a call of a model, to a chunk of a stream and to the start of an application, beside
// no instrumentation and the best others that work with the same major of a library.
// node instrumentation.mjs [rounds] [library]
import { alternate, child, report, round, sink } from './measure.mjs'
import { LIBRARIES } from './parts/calls/libraries.mjs'

const rounds = Number(process.argv[2] ?? 7)
const part = (name) => new URL(`./parts/${name}.mjs`, import.meta.url).pathname
const quiet = { SVC_LOG_LEVEL: 'ERROR' }
const calls = (variant, library, mode) => () => child(['--expose-gc', part('calls'), variant, library, mode], quiet)

const only = process.argv[3]
const CHUNKS = 100

for (const [library, { peers }] of Object.entries(LIBRARIES)) {
  if (only && only !== library) continue
  const variants = { none: 'none', svc: 'svc', ...Object.fromEntries(Object.keys(peers).map((peer) => [peer, peer])) }
  const of = (mode) =>
    Object.fromEntries(Object.entries(variants).map(([name, it]) => [name, calls(it, library, mode)]))
  const [plain, stream] = [await alternate(of('plain'), rounds), await alternate(of('stream'), rounds)]
  const rows = Object.keys(variants).map((name) => [
    name,
    {
      'µs a plain call': round(plain[name].micros),
      added: round(plain[name].micros - plain.none.micros),
      'µs a stream of 100': round(stream[name].micros),
      'added a chunk': round((stream[name].micros - stream.none.micros) / CHUNKS, 2),
    },
  ])
  report(
    `Calls of ${library}, 4 KB in, 2 KB out`,
    `CPU, medians of ${rounds} alternated rounds; the model answers inside the process, nothing is exported.`,
    Object.fromEntries(rows),
  )
}

if (only) process.exit()

const MEMORY = ['openai-7', 'anthropic-1', 'google-genai-3']
const kept = {}
for (const library of MEMORY) kept[library] = await calls('svc', library, 'memory')()
report(
  '100,000 calls',
  'What still lives after a garbage collection.',
  Object.fromEntries(Object.entries(kept).map(([library, { kept }]) => [library, { 'KiB kept': round(kept) }])),
)

const intake = await sink()
const svc = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: intake.url, ...quiet }
const none = { SVC_INSTRUMENTATIONS: 'dns', SVC_DISABLED_INSTRUMENTATIONS: 'dns' }
const preload = ['--import', import.meta.resolve('@svc/register'), part('four-libraries')]
const start = await alternate(
  {
    'bare node': () => child([part('four-libraries')]),
    'preload that sees nothing': () => child(preload, { ...svc, ...none }),
    preload: () => child(preload, svc),
  },
  rounds * 3,
)
intake.close()
report(
  'Start of an application that loads four libraries',
  `medians of ${rounds * 3} alternated rounds; the last row less the second is what instrumentation adds.`,
  Object.fromEntries(
    Object.entries(start).map(([name, { cpu }]) => [
      name,
      { 'CPU ms': round(cpu), 'over bare ms': round(cpu - start['bare node'].cpu) },
    ]),
  ),
)

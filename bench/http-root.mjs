// What the root of a request costs: the span itself, and the question and the answer that it shows.
// node http-root.mjs [blocks]
import { inTurns, report, round, sink } from './measure.mjs'

const blocks = Number(process.argv[2] ?? 150)
const part = new URL('./parts/http-root.mjs', import.meta.url).pathname
const intake = await sink()
const env = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: intake.url, SVC_LOG_LEVEL: 'ERROR' }

const of = (calls) => ({
  'no root': [part, 'false', 'false', calls],
  'a root': [part, 'auto', 'false', calls],
  'a root with question and answer': [part, 'auto', 'true', calls],
})
const one = await inTurns(of('call'), blocks, env)
const none = await inTurns(of('none'), blocks, env)
intake.close()

const added = (figures, name) => round(figures[name] - figures['no root'])
report(
  'The root of a request',
  `µs on the main thread, lowest deciles of ${blocks} blocks in turns; one call with 4 KB in and 2 KB out, everything is
exported. Does not show: a server.`,
  Object.fromEntries(
    Object.keys(one).map((name) => [
      name,
      {
        'µs with a call': round(one[name]),
        added: added(one, name),
        'µs without': round(none[name]),
        'added ': added(none, name),
      },
    ]),
  ),
)

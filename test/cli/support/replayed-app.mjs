// Does some cases of a library one after the other, in one trace, and prints what an application got to see.
// node --import @svc/register replayed-app.mjs <{ file, name, kind, url, titles }, as JSON>
import { pathToFileURL } from 'node:url'
import { startActiveObservation } from '@svc/tracing'

const { file, name, kind, url, titles } = JSON.parse(process.argv[2])
const { load, connect, cases } = await import(pathToFileURL(file))
const exports = await load[kind](name)
const results = {}
await startActiveObservation('all cases', async () => {
  for (const title of titles) {
    const found = cases[title]
    const does = typeof found === 'function' ? found : found?.does
    if (!does) continue
    try {
      results[title] = (await does({ exports, url, client: connect({ exports, url }) })) ?? null
    } catch (error) {
      results[title] = { thrown: `${error}` }
    }
  }
})
// Some libraries leave timers behind that would hold the process for minutes.
process.stdout.write(JSON.stringify(results), () => process.exit())

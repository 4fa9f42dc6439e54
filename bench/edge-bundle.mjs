// What @svc/tracing adds to a function on an edge runtime, in bytes that are deployed and in bytes that travel.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { report, round } from './measure.mjs'

const answer = `new Response('done')`
const FUNCTIONS = {
  'a function': `export default { fetch: () => ${answer} }`,
  '@opentelemetry/api': `import { trace } from '@opentelemetry/api'
    const work = (span) => { span.setAttribute('key', 'value'); span.end(); return ${answer} }
    export default { fetch: () => trace.getTracer('edge').startActiveSpan('work', work) }`,
  '@svc/tracing, startActiveObservation': `import { startActiveObservation } from '@svc/tracing'
    const work = (it) => { it.update({ input: 1 }); return ${answer} }
    export default { fetch: () => startActiveObservation('work', work) }`,
  '@svc/tracing, everything': `export * from '@svc/tracing'
    export default { fetch: () => ${answer} }`,
}

const sizes = {}
for (const [name, program] of Object.entries(FUNCTIONS)) {
  const code = await bundled(program)
  sizes[name] = { minified: Buffer.byteLength(code), gzip: gzipSync(code, { level: 9 }).length }
}
const { 'a function': bare, '@opentelemetry/api': api } = sizes
const kilobytes = (bytes) => round(bytes / 1024)
report(
  'A function on an edge runtime',
  'KiB, one minified script for ES2022. Does not show: a provider and an exporter, which the runtime has to bring.',
  Object.fromEntries(
    Object.entries(sizes).map(([name, { minified, gzip }]) => [
      name,
      {
        'minified KiB': kilobytes(minified),
        'gzip KiB': kilobytes(gzip),
        'gzip over the function': kilobytes(gzip - bare.gzip),
        'gzip over the api': kilobytes(gzip - api.gzip),
      },
    ]),
  ),
)

async function bundled(program) {
  const root = fileURLToPath(new URL('.', import.meta.url))
  // There is no such file: what it would say is `program`.
  const entry = `${root}function.mjs`
  const source = {
    name: 'source',
    enforce: 'pre',
    resolveId: (wanted) => (wanted === entry ? entry : undefined),
    load: (wanted) => (wanted === entry ? program : undefined),
  }
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [source],
    resolve: { conditions: ['edge-light', 'workerd', 'worker', 'browser', 'module', 'import', 'default'] },
    build: { write: false, minify: 'oxc', target: 'es2022', lib: { entry, formats: ['iife'], name: 'app' } },
  })
  return output[0].code
}

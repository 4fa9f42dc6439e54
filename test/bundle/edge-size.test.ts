import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'

// What this package adds to the bundles of an edge runtime, in bytes that are deployed: measured on the built files, as
// bundlers for the edge choose them. Whoever raises a limit says in the commit what it was raised for.
const BUDGET = {
  'the bundle of instrumentation.ts': {
    program: `export { onRequestError, registerSvc } from '@svc/next'`,
    bytes: 66_300,
    gzip: 25_000,
  },
  'the bundle of a route': { program: `export { withSvc } from '@svc/next'`, bytes: 4_000, gzip: 2_010 },
  'the bundle of a proxy': { program: `export { svcProxy } from '@svc/next'`, bytes: 6_200, gzip: 2_970 },
  'the bundle of an action': { program: `export { withSvcAction } from '@svc/next'`, bytes: 8_450, gzip: 3_780 },
}

it.each(Object.entries(BUDGET))(
  'the edge bundle of %s stays within its budget',
  async (_, { program, bytes, gzip }) => {
    const code = await bundled(program)
    expect(code.length).toBeLessThan(bytes)
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(gzip)
  },
)

async function bundled(program: string): Promise<string> {
  const root = fileURLToPath(new URL('.', import.meta.url))
  const entry = `${root}program.mjs`
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [
      {
        name: 'program',
        enforce: 'pre',
        resolveId: (source) => (source === entry ? entry : undefined),
        load: (id) => (id === entry ? program : undefined),
      },
    ],
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions: ['edge-light', 'workerd', 'worker', 'browser', 'module', 'import', 'default'] },
    build: {
      write: false,
      minify: 'oxc',
      target: 'es2022',
      lib: { entry, formats: ['cjs'], name: 'app' },
      rolldownOptions: { external: [/^next(?:\/|$)/, /^react/] },
    },
  })
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput]
  expect(output).toHaveLength(1)
  return output[0].code
}

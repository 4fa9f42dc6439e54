import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { BUDGET } from '../packed/budget.ts'
import { TARGETS } from './bundle.ts'

// What @svc/next adds to the bundles of an edge runtime, in bytes that travel: measured on the built files, as bundlers
// for the edge choose them.
it.each([
  ['instrumentation.ts', `export { onRequestError, registerSvc } from '@svc/next'`, BUDGET.edgeInstrumentation],
  ['a route', `export { withSvc } from '@svc/next'`, BUDGET.edge.route],
  ['a proxy', `export { svcProxy } from '@svc/next'`, BUDGET.edge.proxy],
  ['an action', `export { withSvcAction } from '@svc/next'`, BUDGET.edge.action],
])('the edge bundle of %s stays within its budget', async (_, program, gzip) => {
  expect(gzipSync(await bundled(program), { level: 9 }).length).toBeLessThanOrEqual(gzip)
})

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
    resolve: { conditions: [...TARGETS['an edge runtime']] },
    build: {
      write: false,
      minify: 'oxc',
      target: 'es2022',
      lib: { entry, formats: ['cjs'], name: 'app' },
      rolldownOptions: {
        external: [/^next(?:\/|$)/, /^react/],
        // What a part that is loaded later shares with the rest stays in the entry, as bundlers of applications have it.
        preserveEntrySignatures: 'allow-extension',
      },
    },
  })
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput]
  const atOnce = output.filter((part) => part.type === 'chunk').filter(({ isDynamicEntry }) => !isDynamicEntry)
  return atOnce.map(({ code }) => code).join('\n')
}

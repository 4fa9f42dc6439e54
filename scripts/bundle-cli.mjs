// The published form of `svc`, which `pnpm pack` makes: what `svc traces` needs is in dist/svc.js and a few files beside
// it, because loading two hundred took longer than the answer. Other commands are loaded from the files of tsc.
import { cpSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './build.mjs'
import { licencesOf } from './bundle/package-files.mjs'

const cli = join(root, 'packages/cli')
const dist = join(cli, 'dist')

/** The service and the SDK of MCP: who wants them loads them. */
const OUTSIDE = /^(?:node:|@svc\/local(?:\/cli|\/mcp)?$)/

const fromTsc = {
  name: 'from-tsc',
  resolveId(source, importer) {
    if (source === '../dist/main.js') return join(cli, 'src/main.ts')
    const isCommand = importer === join(cli, 'src/commands.ts') && /^\.\/(?!command\.ts|traces\/)/.test(source)
    // A Failure is one class, whoever throws it.
    if (!isCommand && !source.endsWith('/failure.ts')) return undefined
    return { id: join(dist, isCommand ? source : 'failure.ts').replace(/\.ts$/, '.js'), external: true }
  },
}

const bundle = await rolldown({
  input: { svc: join(cli, 'bin/svc.js') },
  cwd: root,
  platform: 'node',
  external: OUTSIDE,
  resolve: { conditionNames: ['@svc/source', 'node', 'import', 'module', 'default'] },
  plugins: [fromTsc],
})
const { output } = await bundle.generate({ dir: dist, format: 'esm', chunkFileNames: 'svc.[name].js', comments: false })
await bundle.close()

for (const { fileName, code } of output) write(fileName, code)
write('THIRD-PARTY-LICENSES.txt', licencesOf(output.flatMap(({ moduleIds }) => moduleIds)))
cpSync(join(root, 'docs/migrating-from-v5.md'), join(dist, 'migrating-from-v5.md'))

/** Somebody may be reading, or doing the same. */
function write(name, text) {
  const apart = join(dist, `${name}.${process.pid}`)
  writeFileSync(apart, text)
  renameSync(apart, join(dist, name))
}

// The exports of @svc/core: by name, each module that is imported as `@svc/core/…`. A new module is thus not exported until
// another package imports it. `pnpm exports:core` writes them; test/house/layers.test.ts compares.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const MANIFEST = 'packages/core/package.json'
const IMPORTERS = ['packages', 'test', 'bench', 'examples', 'scripts']
const NOT_SOURCES = new Set(['node_modules', 'dist', 'cjs', '.next'])
const EDGE_CONDITIONS = ['edge-light', 'worker', 'workerd', 'browser']

/** Returns the text of the package.json of core with its exports as they should be. */
export function coreManifest() {
  const manifest = JSON.parse(read(MANIFEST))
  const modules = new Set(sources('packages/core/src').map((path) => path.slice('packages/core/src/'.length, -3)))
  const names = importedNames().filter((name) => modules.has(name))
  manifest.exports = Object.fromEntries(names.map((name) => [`./${name}`, conditionsOf(name, modules)]))
  manifest.exports['./package.json'] = './package.json'
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

function importedNames() {
  const names = IMPORTERS.flatMap(sources).flatMap((path) =>
    [...read(path).matchAll(/['"]@svc\/core\/([\w/-]+)['"]/g)].map(([, name]) => name),
  )
  return [...new Set(names)].sort()
}

/** A module `name-edge` replaces `name` on edge runtimes and in browsers, a module `name-node` on Node. */
function conditionsOf(name, modules) {
  const hasNode = modules.has(`${name}-node`)
  const edge = modules.has(`${name}-edge`) ? `${name}-edge` : hasNode ? name : undefined
  const source = `./src/${name}.ts`
  return {
    '@svc/source': hasNode ? { node: `./src/${name}-node.ts`, default: source } : source,
    ...(edge && Object.fromEntries(EDGE_CONDITIONS.map((condition) => [condition, `./dist/${edge}.js`]))),
    ...(hasNode && { node: builds(`${name}-node`) }),
    ...builds(name),
  }
}

/** TypeScript finds the declarations beside the JavaScript. */
function builds(name) {
  const [esm, cjs] = [`./dist/${name}.js`, `./cjs/${name}.js`]
  return { 'module-sync': esm, module: esm, require: cjs, default: esm }
}

function sources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return NOT_SOURCES.has(entry.name) ? [] : sources(path)
    return /\.([cm]?[jt]s|tsx)$/.test(path) ? [path] : []
  })
}

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, MANIFEST), coreManifest())

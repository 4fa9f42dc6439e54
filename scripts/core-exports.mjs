// The exports of @svc/core: by name, each module that the sources of another package import as `@svc/core/…`. A test that
// needs another one names its file. Its CommonJS form has a package.json of its own, in which it finds itself: with what core
// imports by name. `pnpm exports:core` writes both; test/house/layers.test.ts compares.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const MANIFEST = 'packages/core/package.json'
const COMMONJS_MANIFEST = 'packages/core/cjs/package.json'
const CORE = 'packages/core/src'
const NOT_SOURCES = new Set(['node_modules', 'dist', 'cjs', '.next', 'test'])
const EDGE_CONDITIONS = ['edge-light', 'worker', 'workerd', 'browser']

/** Returns the text of the package.json of core with its exports as they should be. */
export function coreManifest() {
  const names = namesImportedIn('packages')
  const exports = exportsOf(names, (name) => `./src/${name}.ts`, builds)
  return manifest(MANIFEST, { ...exports, './package.json': './package.json' })
}

/** Returns the text of the package.json of its CommonJS form, as it should be. */
export function commonJsManifest() {
  return manifest(
    COMMONJS_MANIFEST,
    exportsOf(namesImportedIn(CORE), undefined, (name) => `./${name}.js`),
  )
}

function manifest(path, exports) {
  return `${JSON.stringify({ ...JSON.parse(read(path)), exports }, undefined, 2)}\n`
}

function namesImportedIn(folder) {
  return sources(folder).flatMap((path) =>
    [...read(path).matchAll(/['"]@svc\/core\/([\w/-]+)['"]/g)].map(([, name]) => name),
  )
}

/** A module `name-edge` replaces `name` on edge runtimes and in browsers, a module `name-node` on Node. */
function exportsOf(names, sourceOf, fileOf) {
  const modules = new Set(sources(CORE).map((path) => path.slice(CORE.length + 1, -3)))
  const exported = [...new Set(names)].filter((name) => modules.has(name)).sort()
  return Object.fromEntries(exported.map((name) => [`./${name}`, conditionsOf(name, modules, sourceOf, fileOf)]))
}

function conditionsOf(name, modules, sourceOf, fileOf) {
  const hasNode = modules.has(`${name}-node`)
  const edge = modules.has(`${name}-edge`) ? `${name}-edge` : hasNode ? name : undefined
  const source = sourceOf?.(name)
  const files = fileOf(name)
  return {
    ...(source && { '@svc/source': hasNode ? { node: sourceOf(`${name}-node`), default: source } : source }),
    ...(edge && Object.fromEntries(EDGE_CONDITIONS.map((condition) => [condition, fileOf(edge)]))),
    ...(hasNode && { node: fileOf(`${name}-node`) }),
    ...(typeof files === 'string' ? { default: files } : files),
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
    return /(?<!\.test)\.([cm]?[jt]s|tsx)$/.test(path) ? [path] : []
  })
}

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(root, MANIFEST), coreManifest())
  writeFileSync(join(root, COMMONJS_MANIFEST), commonJsManifest())
}

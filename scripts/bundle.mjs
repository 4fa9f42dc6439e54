// The published form of @svc/register: CommonJS files in packages/register/published, with everything in them.
// `pnpm pack` runs it. A start is in two stages, which are files of their own: the preload, and the engine that it loads
// with the first library or request. What the engine defers is in files beside it.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, parse } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './build.mjs'
import { DEFERRED, deferred, sharedFileOf } from './bundle/deferred.mjs'
import { writePackageFiles } from './bundle/package-files.mjs'

const register = join(root, 'packages/register')
const published = join(register, 'published')
const out = `${published}.${process.pid}`

/** What users import. */
const FACES = {
  index: join(register, 'src/index.ts'),
  start: join(register, 'src/start-published.ts'),
  tool: join(register, 'src/tool.ts'),
}

/** What applications have themselves, in whatever version, and the file that is loaded later. */
const OUTSIDE = /^(?:node:|@opentelemetry\/(?:sdk-node|auto-instrumentations-node)$|\.\/engine\.js$)/

/** Where the globals of Node come from that applications remove or replace. A start needs the first two. */
const GLOBALS = {
  process: [join(register, 'src/own-globals.ts'), 'process'],
  URL: [join(register, 'src/own-globals.ts'), 'URL'],
  ownFile: [join(register, 'src/own-globals.ts'), 'ownFile'],
  Buffer: ['node:buffer', 'Buffer'],
  TextEncoder: ['node:util', 'TextEncoder'],
  performance: ['node:perf_hooks', 'performance'],
  setTimeout: ['node:timers', 'setTimeout'],
  clearTimeout: ['node:timers', 'clearTimeout'],
  setImmediate: ['node:timers', 'setImmediate'],
}

/**
 * Modules in the place of others: OpenTelemetry's API meets other versions of itself, and what is loaded later is found by
 * the bundlers of applications.
 */
const STAND_INS = new Map([
  ['global-utils', join(register, 'src/api-registry.ts')],
  ['load-engine', join(register, 'src/load-engine-published.ts')],
])
const standIns = {
  name: 'stand-ins',
  resolveId: (source) => STAND_INS.get(parse(source).name),
}

/** Has the bundler's own part read no more of an object than it has itself: `Object.prototype` may be polluted. */
const ownExports = {
  name: 'own-exports',
  transform(code, id) {
    if (id !== '\0rolldown/runtime.js') return undefined
    const own = code.replace('for (var name in all)', 'for (var name of Object.keys(all))')
    if (own === code) throw new Error("rolldown's runtime is another: does it still read what an object inherits?")
    return own
  },
}

/** Replaces `import.meta.filename`, which bundlers of applications do not know in CommonJS. */
const ownFile = {
  name: 'own-file',
  transform: (code) => code.replaceAll('import.meta.filename', 'ownFile'),
}

const GETTER =
  /Object\.defineProperty\(exports, "([\w$]+)", \{\s+enumerable: !0,\s+get: function\(\) \{\s+return ([^;]+);\s+\}\s+\}\)/g

/**
 * Has a file give others its values, which do not change, and not a getter for each: calling two hundred of them took ten
 * microseconds of every request with a root.
 */
function withValues(code) {
  const given = code.replaceAll(GETTER, 'exports.$1 = $2')
  if (/defineProperty\(exports, "(?!__esModule)/.test(given)) throw new Error('rolldown writes its getters otherwise')
  return given
}

/** Takes modules of Node without `require`, which there is none of where an application is bundled as an ES module. */
function withBuiltins(code) {
  const taken = code.replace(/require\("([\w:/]+)"\)/g, (required, name) =>
    isBuiltin(name) ? `(builtinOf ? builtinOf("${name}") : ${required})` : required,
  )
  if (taken === code) return code
  // Some files are loaded after an application has replaced `process`, by a getter that throws, say.
  const found = 'let builtinOf;\ntry { builtinOf = globalThis.process?.getBuiltinModule; } catch {}'
  return taken.replace('"use strict";', `"use strict";\n${found}`)
}

// Names of functions and classes stay, and so do lines, so that stack traces can be read without a source map.
const keepNames = { function: true, class: true }

/** Whether nothing was changed since the bundle was made. */
function isFresh() {
  const made = statSync(join(published, 'package.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['register', 'instrumentation', 'core', 'otel'].map((name) => join(root, 'packages', name, 'src'))
  const rest = [
    join(register, 'cjs'),
    join(register, 'package.json'),
    join(root, 'pnpm-lock.yaml'),
    import.meta.filename,
    join(import.meta.dirname, 'bundle'),
  ]
  return newestIn([...sources, ...rest]) < made
}

function newestIn(paths) {
  const times = paths.map((path) => {
    const stats = statSync(path)
    return stats.isDirectory() ? newestIn(readdirSync(path).map((name) => join(path, name))) : stats.mtimeMs
  })
  return Math.max(0, ...times)
}

// Several tests pack at once.
if (isFresh()) process.exit()
const bundle = await rolldown({
  input: { ...FACES, engine: join(register, 'src/engine.ts'), ...DEFERRED },
  cwd: root,
  platform: 'node',
  external: OUTSIDE,
  makeAbsoluteExternalsRelative: false,
  resolve: { conditionNames: ['@svc/source', 'node', 'import', 'module', 'default'] },
  transform: { inject: GLOBALS },
  plugins: [deferred, standIns, ownExports, ownFile],
})
const { output } = await bundle.generate({
  format: 'cjs',
  // The sources are ES modules, which are always strict.
  strict: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  comments: false,
  // A character beyond Latin-1 would make V8 decode the file slowly, and keep two bytes for each of its characters.
  charset: 'ascii',
  minify: { mangle: { toplevel: true, keepNames }, compress: { keepNames }, codegen: { removeWhitespace: false } },
  codeSplitting: {
    groups: [
      { name: 'preload', test: /\/register\/src\/(?:preload|tool)\.ts$/, priority: 1 },
      {
        name: sharedFileOf,
        debugName: 'shared',
        minShareCount: 2,
      },
    ],
  },
})
await bundle.close()

mkdirSync(out, { recursive: true })
for (const { fileName, code } of output) writeFileSync(join(out, fileName), withBuiltins(withValues(code)))

writePackageFiles(out, {
  entries: Object.keys(FACES),
  modules: output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])),
})
publish()

/** Puts what was made in its place, all at once: somebody may be reading, or doing the same. */
function publish(attempts = 10) {
  rmSync(published, { recursive: true, force: true })
  try {
    renameSync(out, published)
  } catch (error) {
    if (attempts === 0) throw error
    publish(attempts - 1)
  }
}

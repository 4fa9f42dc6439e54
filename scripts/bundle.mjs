// The published form of @svc/register: CommonJS chunks in packages/register/published, with everything in them.
// `pnpm pack` runs it. What the sources load late, by a `require` of their own, is a chunk of its own here.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './build.mjs'
import { lessToRead, withLateBuiltins, withOwnGlobals, withPlainExports } from './bundle/chunk-code.mjs'
import { compileAtOnce } from './bundle/compile-at-once.mjs'
import { writePackageFiles } from './bundle/package-files.mjs'

const register = join(root, 'packages/register')
const instrumentation = join(root, 'packages/instrumentation')
const published = join(register, 'published')
const out = `${published}.${process.pid}`

/** In the sources they export parts that are loaded with the first call of them here. */
const LATE_PARTS = [
  ...['late-parts', 'late-settings', 'late-prepare', 'late-runtime'].map((name) => join(register, `src/${name}.ts`)),
  join(root, 'packages/core/src/late-text.ts'),
]

/** What runs at the start of every process. */
const PRELOAD = join(register, 'src/preload.ts')

/** What a process needs in addition, and a thread only later. */
const PLAN = join(register, 'src/plan.ts')

/** What both need with the first library. */
const PREPARE = join(register, 'src/prepare.ts')

/** What a thread starts with. It gets a copy of the settings, of which only what it uses is left. */
const WITH_FEW_SETTINGS = [
  'core/src/capture-content',
  'core/src/log',
  'register/src/tool',
  'register/src/start-later',
].map((name) => join(root, 'packages', `${name}.ts`))
const COPY = '?few'
const COPIED = /\/core\/src\/(?:settings|readers)\.ts$/

/** The files of a start. */
const START = new Set(['index.cjs', 'hot.cjs', 'plan.cjs', 'prepare.cjs'])

/** What applications have themselves, in whatever version. */
const OUTSIDE = /^(?:node:|@opentelemetry\/(?:sdk-node|auto-instrumentations-node)$)/
/** The sources' way of loading something later. */
const LATE = /\brequire\(\s*'([^']+)'\s*\)/g
const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\)$/m

const { HOOK_TABLE } = await import(join(instrumentation, 'dist/hook-table.js'))
const { HOOKED_PACKAGES } = await import(join(instrumentation, 'dist/hooked-packages.js'))

/** Makes a chunk of each module that is required late, under a name that says which. */
function lateChunks() {
  const chunk = (context, file) => {
    const name = relative(join(root, 'packages'), file)
      .replace(/^(?:\.\.\/)*node_modules\/\.pnpm\/.*\/node_modules\//, '')
      .replace(/^(?:register|instrumentation|core|otel)\/src\//, '')
      .replace(/\.[cm]?[jt]s$/, '')
      .replace(/[^a-z0-9-]+/gi, '-')
      .replace(/^-/, '')
    const fileName = name in entries ? `${name}-late.cjs` : `${name}.cjs`
    context.emitFile({ type: 'chunk', id: file, fileName, preserveSignature: 'strict' })
    return `./${fileName}`
  }
  return {
    name: 'late-chunks',
    load(id) {
      if (LATE_PARTS.includes(id))
        return calls(readFileSync(id, 'utf8'), (file) => chunk(this, join(dirname(id), file)))
      if (id === join(instrumentation, 'src/hooked-packages.ts'))
        return `export const HOOKED_PACKAGES = ${JSON.stringify(HOOKED_PACKAGES)}`
      if (id !== join(instrumentation, 'src/hook-table.ts')) return undefined
      const libraries = chunk(this, join(instrumentation, 'src/libraries.ts'))
      // V8 reads JSON faster than code.
      return `export const HOOK_TABLE = JSON.parse(${JSON.stringify(JSON.stringify(HOOK_TABLE))})
        export const libraryAt = (place) => require('${libraries}').LIBRARIES[place]`
    },
    async transform(code, id) {
      if (!OWN_REQUIRE.test(code)) return undefined
      let changed = code.replace(OWN_REQUIRE, '')
      for (const [call, specifier] of [...changed.matchAll(LATE)]) {
        if (specifier.startsWith('node:')) continue
        const found = await this.resolve(specifier.replace(/^(\..*)\.js$/, '$1.ts'), id)
        if (!found) throw new Error(`${id} requires ${specifier}, which is not there`)
        // What is loaded at the start anyway needs no file of its own.
        if (found.id === PRELOAD) {
          changed = `import { preload as atStart } from ${JSON.stringify(PRELOAD)}\n${changed.replace(call, '{ preload: atStart }')}`
          continue
        }
        changed = changed.replace(call, `require('${chunk(this, found.id)}')`)
      }
      if (id.endsWith('/targets.ts')) {
        const modules = HOOK_TABLE.flatMap(({ module, edit }) => [module, edit]).filter((name) => name !== undefined)
        for (const module of new Set(modules)) chunk(this, join(instrumentation, 'src', `${module}.ts`))
        changed = changed.replaceAll(
          /require\(`\.\/\$\{(module|edit)\}\.js`\)/g,
          (_, name) => `require(\`./\${${name}.replaceAll('/', '-')}.cjs\`)`,
        )
      }
      return { code: changed }
    },
    resolveId: {
      order: 'pre',
      handler: (source) => (/^\.\/[\w-]+\.cjs$/.test(source) ? { id: source, external: true } : undefined),
    },
  }
}

/** Gives {@link WITH_FEW_SETTINGS} their copy of the settings. */
function fewSettings() {
  return {
    name: 'few-settings',
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        if (!importer || !(WITH_FEW_SETTINGS.includes(importer) || importer.endsWith(COPY))) return undefined
        const found = await this.resolve(source, importer, { ...options, skipSelf: true })
        return found && COPIED.test(found.id) ? { ...found, id: found.id + COPY } : found
      },
    },
    load: (id) =>
      id.endsWith(COPY) ? { code: readFileSync(id.slice(0, -COPY.length), 'utf8'), moduleType: 'ts' } : undefined,
  }
}

/**
 * OpenTelemetry's API with any version of itself: it takes what is registered in the process as it finds it, and lets its
 * version be changed (`other-provider.ts`).
 */
function anyVersion() {
  const changes = [
    [/!api\.version \|\| !isCompatible\(api\.version\)/, 'false'],
    [/api\.version !== "[\d.]+"/, 'false'],
    [/writable: false,\s+configurable: false/, 'writable: true, configurable: true'],
  ]
  return {
    name: 'any-version',
    transform(code, id) {
      if (!/@opentelemetry\/api\/.*\/global-utils\.mjs$/.test(id)) return undefined
      return changes.reduce((changed, [found, put]) => {
        if (!found.test(changed)) throw new Error(`${id} has no ${found} any more`)
        return changed.replace(found, put)
      }, code)
    },
  }
}

/** In the place of functions that are exported from other files: functions that load those with the first call. */
function calls(code, chunkOf) {
  const reexports = [...code.matchAll(/^export \{ (.+) \} from '\.\/(.+)'$/gm)]
  return reexports
    .flatMap(([, names, file]) => {
      const chunk = chunkOf(file)
      return names.split(', ').map((name) => [name, chunk])
    })
    .map(([name, file]) => `export const ${name} = (...values) => require('${file}').${name}(...values)`)
    .join('\n')
}

/** Whether a module is among those that some entries load: what they import, and what that imports. */
function loadedBy(...files) {
  let loaded
  return (id, context) => {
    if (!loaded) {
      loaded = new Set()
      const visit = (each) => {
        if (loaded.has(each)) return
        loaded.add(each)
        for (const imported of context.getModuleInfo(each)?.importedIds ?? []) visit(imported)
      }
      for (const file of files) visit(file)
    }
    return loaded.has(id)
  }
}

const entries = {
  index: join(register, 'src/index.ts'),
  start: join(register, 'src/start-published.ts'),
  tool: join(register, 'src/tool.ts'),
}

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
const isHot = loadedBy(...Object.values(entries), PRELOAD)
const isPlan = loadedBy(PLAN)
const isPrepare = loadedBy(PREPARE)
// Of a process that only says that it has no keys, for example.
const isText = loadedBy(join(root, 'packages/core/src/foreign-text.ts'))
const isRuntime = loadedBy(join(register, 'src/runtime.ts'))
// It runs at once, and needs the rest of the hot chunk.
const isEntry = (id) => id === entries.index
const isLibraries = loadedBy(join(instrumentation, 'src/libraries.ts'))
// The barrel of the API names it. Only the SDK uses it.
const METERS = /@opentelemetry\/api\/dist\/(?:api\/)?metrics/
const isEngine = loadedBy(join(register, 'src/engine.ts'))
const bundle = await rolldown({
  input: entries,
  cwd: root,
  platform: 'node',
  external: OUTSIDE,
  resolve: { conditionNames: ['@svc/source', 'node', 'import', 'module', 'default'] },
  plugins: [fewSettings(), lateChunks(), anyVersion()],
})
const { output } = await bundle.generate({
  format: 'cjs',
  // The sources are ES modules, which are always strict.
  strict: true,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
  comments: false,
  codeSplitting: {
    groups: [
      {
        debugName: 'hot',
        name: (id, context) => (isHot(id, context) && !METERS.test(id) && !isEntry(id) ? 'hot' : null),
        priority: 3,
      },
      { debugName: 'plan', name: (id, context) => (isPlan(id, context) ? 'plan' : null), priority: 2.95 },
      { debugName: 'text', name: (id, context) => (isText(id, context) ? 'text' : null), priority: 2.97 },
      { debugName: 'prepare', name: (id, context) => (isPrepare(id, context) ? 'prepare' : null), priority: 2.9 },
      {
        debugName: 'runtime',
        name: (id, context) => (isRuntime(id, context) && !METERS.test(id) ? 'runtime' : null),
        priority: 2.8,
      },
      { debugName: 'libraries', name: (id, context) => (isLibraries(id, context) ? 'libraries' : null), priority: 2.5 },
      { debugName: 'engine', name: (id, context) => (isEngine(id, context) ? 'engine' : null), priority: 2 },
      { debugName: 'recording', name: 'recording', minShareCount: 3, priority: 1 },
    ],
  },
})
await bundle.close()

mkdirSync(out, { recursive: true })
for (const { fileName, code } of output) {
  const isStart = START.has(fileName)
  const plain = withPlainExports(isStart ? withLateBuiltins(code) : code)
  writeFileSync(join(out, fileName), lessToRead(fileName, withOwnGlobals(fileName, plain, isStart)))
}

compileAtOnce(out)

writePackageFiles(out, {
  entries: Object.keys(entries),
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

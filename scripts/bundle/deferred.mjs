// Which files of the bundle are loaded with the first call of what they export: those that a table of the sources imports.
import { readFileSync } from 'node:fs'
import { dirname, join, parse, relative } from 'node:path'
import { root } from '../build.mjs'

const sourcesOf = (name) => join(root, 'packages', name, 'src')
const instrumentation = sourcesOf('instrumentation')
const register = sourcesOf('register')
const otel = sourcesOf('otel')
const core = sourcesOf('core')

/** Modules, with those of their imports that are deferred. */
const DEFERRING = new Map([
  [join(instrumentation, 'patches.ts'), /^/],
  [join(instrumentation, 'edits.ts'), /^/],
  [join(instrumentation, 'recorders.ts'), /^/],
  // Batches, runs and tasks, which few applications have.
  ...[
    ...['stainless/follower.ts', 'stainless/wrap-client.ts', 'openai/batches.ts', 'openai/assistants/runs.ts'],
    ...['mistral/calls.ts', 'google-genai/instrument.ts', 'mcp/instrument.ts', 'mcp/tasks.ts'],
  ].map((module) => [join(instrumentation, module), /\/jobs\//]),
  [join(instrumentation, 'openai/thread-runs.ts'), /\/assistants\//],
  [join(register, 'prepare.ts'), /runtime\.ts$/],
  [join(register, 'start.ts'), /runtime\.ts$/],
  [join(register, 'engine.ts'), /start-in-memory\.ts$/],
  // What sends. No request waits for it.
  [join(otel, 'span-flow.ts'), /(?:assemble|root-io)\.ts$/],
  [join(core, 'exit.ts'), /(?:last-hop|sync-http)\.ts$/],
  [join(otel, 'server.ts'), /(?:keep|personal|server-parts)\.ts$/],
  [join(otel, 'index.ts'), /gen-ai-conventions\.ts$/],
  [join(otel, 'dialects/gen-ai-conventions.ts'), /personal\.ts$/],
  [join(register, 'pipeline.ts'), /\/metrics\.ts$/],
  [join(register, 'propagators.ts'), /b3\.ts$/],
  // Few starts have something to say.
  [join(core, 'log.ts'), /foreign-text\.ts$/],
  [join(core, 'setting.ts'), /foreign-text\.ts$/],
])

/** What is done with spans that have ended. */
const SENDING = new Set([
  ...['last-hop.ts', 'sync-http.ts'].map((module) => join(core, module)),
  ...['assemble.ts', 'server-parts.ts', 'root-io/root-io.ts', 'dialects/gen-ai-conventions.ts'].map((module) =>
    join(otel, module),
  ),
])

/** What is exported of which modules by each file, by the file's name: that of their folder. */
const FILES = new Map()
for (const [module, deferred] of DEFERRING) {
  for (const [, names, source] of readFileSync(module, 'utf8').matchAll(/^(?:im|ex)port \{([^}]+)\} from '(.+)'$/gm)) {
    if (!deferred.test(source)) continue
    const path = join(dirname(module), source)
    const file = fileOf(path)
    const modules = FILES.get(file) ?? new Map()
    const values = names.split(',').map((name) => name.trim().replace(/ as .*/, ''))
    const exported = values.filter((name) => name && !name.startsWith('type '))
    modules.set(path, [...new Set([...(modules.get(path) ?? []), ...exported])])
    FILES.set(file, modules)
  }
}

function fileOf(path) {
  if (SENDING.has(path)) return 'sending'
  if (path.startsWith(core)) return parse(path).name
  if (path.startsWith(register)) return path === join(register, 'start-in-memory.ts') ? 'runtime' : parse(path).name
  const [folder, inner] = dirname(relative(path.startsWith(otel) ? otel : instrumentation, path)).split('/')
  return inner === 'assistants' ? inner : folder
}

const FILE = 'file:'
const STAND_IN = '?deferred'

/** Entries of the bundle, by their names. */
export const DEFERRED = Object.fromEntries([...FILES.keys()].map((name) => [name, `${FILE}${name}`]))

/** Makes the files, and for who imports from them functions that load them when called. */
export const deferred = {
  name: 'deferred',
  resolveId(source, importer) {
    if (source.startsWith(FILE)) return source
    if (importer?.endsWith(STAND_IN)) return { id: source, external: true }
    if (!DEFERRING.get(importer)?.test(source)) return undefined
    return `${join(dirname(importer), source)}${STAND_IN}`
  },
  load(id) {
    if (id.startsWith(FILE)) {
      const modules = [...FILES.get(id.slice(FILE.length))]
      return modules.map(([path, names]) => `export { ${names.join(', ')} } from ${JSON.stringify(path)}\n`).join('')
    }
    if (!id.endsWith(STAND_IN)) return undefined
    const path = id.slice(0, -STAND_IN.length)
    const file = fileOf(path)
    const names = FILES.get(file).get(path)
    const functions = names.map((name) => `export const ${name} = (...args) => load().${name}(...args)\n`)
    // Some are called with each request, and `require` would look the file up again.
    return `let loaded\nconst load = () => (loaded ??= require('./${file}.js'))\n${functions.join('')}`
  },
}

/** What a span passes: what sends it, what keeps it, what counts it, what redacts it. */
const OF_SPANS = new Set([DEFERRED.runtime, DEFERRED.sending, DEFERRED.keep, DEFERRED.metrics, DEFERRED.redaction])

/** Returns the name of the file for a module that several files share, by which of them do. */
export function sharedFileOf(id, modules) {
  const sharers = sharersOf(id, modules)
  const isDeferred = sharers.every((each) => each.startsWith(FILE) && each !== DEFERRED.runtime)
  if (isDeferred) return sharers.some((each) => OF_SPANS.has(each)) ? 'ended' : 'recording'
  return sharers.every((each) => OF_SPANS.has(each)) ? 'spans' : 'common'
}

/** Only the pipeline takes values from it. */
const PIPELINE = join(otel, 'index.ts')

/** The entries that reach a module. */
function sharersOf(id, modules, seen = new Set()) {
  if (id === PIPELINE) return [DEFERRED.runtime]
  if (seen.has(id)) return []
  seen.add(id)
  const { isEntry, importers } = modules.getModuleInfo(id)
  const above = importers.flatMap((importer) => sharersOf(importer, modules, seen))
  return isEntry || id.startsWith(FILE) ? [id, ...above] : above
}

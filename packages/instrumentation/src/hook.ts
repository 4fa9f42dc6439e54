import { createRequire, type LoadHookSync } from 'node:module'
import { attempt } from '@svc/core/attempt'
import { log, messageOf } from '@svc/core/log'
import { shareLines } from '@svc/core/shared-lines'
import * as SLOTS from '@svc/core/slots'
import { probe, watchBypasses, watchCompiled } from './hook/bypass.ts'
import { hooksBreakCommonJs, throughOrdinaryLoader } from './hook/commonjs.ts'
import { fileUrl } from './hook/file-url.ts'
import { versionOf } from './hook/installed-version.ts'
import { packageFolder, packageIn, pathInModules } from './hook/package-url.ts'
import { loadReplaced, type ReachableReplacement, type Replacement, reachable } from './hook/replacement.ts'
import { appendHandOver, type SourceEditor } from './hook/source.ts'
import { isWithin, type ModuleInfo, type ModuleTarget } from './hook/target.ts'

export type { ModuleInfo, ModuleTarget, VersionRange } from './hook/target.ts'

const require = createRequire(import.meta.filename)
// Older versions of Node have no `registerHooks` to import by name.
const module: typeof import('node:module') = require('node:module')

/** Targets by the path of their files below `node_modules`: `openai/index.mjs`. */
type Targets = Map<string | undefined, ModuleTarget>

/** The modules that a runtime lets the hook see: all, those loaded by `require`, or none. */
export type HookCoverage = 'all' | 'required' | 'none'

interface Hook {
  readonly coverage: Exclude<HookCoverage, 'none'>
  readonly targets: Targets
  /** Names and versions of the packages that were passed to a target. */
  readonly loadedPackages: Set<string>
  /** The warnings about packages that were loaded in a version that is not supported, by name and version. */
  readonly unsupported: Map<string, string>
  /** Called by the line that the hook adds to a file. */
  handOver(url: string, exports: unknown): void
  /** Applies targets to the modules that are in `require.cache` already. */
  applyToRequired(): void
  /** Packages whose targets are added with the first of them that is loaded. */
  awaited?: AwaitedPackages | undefined
  /** A file of the application, one of whose exports is replaced. */
  replacement?: ReachableReplacement | undefined
}

interface AwaitedPackages {
  readonly names: ReadonlySet<string>
  readonly addTargets: () => unknown
}

// On globalThis: the line that is added to a module reaches the hook only there, and a second copy of this package must
// find the hook of the first.
const SLOT = SLOTS.MODULE_HOOK
const KEY = Symbol.for(SLOT)
const slots = globalThis as unknown as Record<symbol, Hook | undefined>

const theHook = (): Hook | undefined => slots[KEY] ?? install()

/**
 * Passes each target the exports of its package when the application loads it by `import` or `require`, wherever below
 * `node_modules` it is; every copy counts. There is one synchronous load hook for the process and no loader thread;
 * later calls add targets. A package that was already required is passed at once; one that was already imported is
 * missed. Node calls the hook for every module, which costs Node 5 to 10 µs each; the work done here is less.
 *
 * @returns the modules that are seen. Node before 22.15 has no `module.registerHooks` and shows only what is required.
 *   In Bun and in Jest's module system nothing is hooked.
 */
export function hookModules(targets: readonly ModuleTarget[]): HookCoverage {
  const hook = theHook()
  if (!hook) return 'none'
  for (const target of targets) {
    for (const file of target.files) {
      const path = `${target.package}/${file}`
      if (!hook.targets.has(path)) hook.targets.set(path, target)
    }
  }
  hook.applyToRequired()
  return hook.coverage
}

/**
 * Edits the sources of packages beside what records them, which comes first. For `svc replay`: no application does.
 *
 * @param edits by the path of the file below `node_modules`
 */
export function editModules(edits: Readonly<Record<string, SourceEditor>>): void {
  const hook = theHook()
  if (!hook) return
  if (hook.awaited?.addTargets() !== undefined) hook.awaited = undefined
  for (const [path, edit] of Object.entries(edits)) {
    const { apply = () => {}, edit: before, ...known } = hook.targets.get(path) ?? { files: [] }
    const both: ModuleTarget['edit'] = (source, info) => edit(before?.(source, info) ?? source)
    hook.targets.set(path, { ...known, package: packageIn(path), apply, edit: both })
  }
}

/**
 * Calls `addTargets`, which calls {@link hookModules}, before the application loads one of these packages, so that a
 * start does not need the targets. Where one was already required, it is called at once.
 *
 * @param addTargets returns undefined as long as it cannot
 * @returns the modules that are seen
 */
export function awaitPackages(names: readonly string[], addTargets: () => unknown): HookCoverage {
  const hook = theHook()
  if (!hook) return 'none'
  hook.awaited = { names: new Set(names), addTargets }
  hook.applyToRequired()
  return hook.coverage
}

/**
 * Replaces an export of a file of the application for whoever loads it. Of CommonJS the exports are changed; the exports of
 * an ES module cannot be, so there is another module in its place, with all its exports.
 *
 * @returns the modules that are seen
 */
export function replaceExport(replacement: Replacement): HookCoverage {
  const hook = theHook()
  if (!hook) return 'none'
  hook.replacement = reachable(replacement)
  return hook.coverage
}

/** Returns the packages that were passed to targets, with their versions, in the order in which they were loaded. */
export function listLoadedPackages(): readonly string[] {
  return [...(slots[KEY]?.loadedPackages ?? [])]
}

/**
 * Returns the packages, with their versions, of which a version was loaded that is not supported, each with the
 * warning for when a call is lost by it. Most are never called: they are copies below the packages of others.
 */
export function listUnsupportedPackages(): readonly (readonly [name: string, line: string])[] {
  const { unsupported, loadedPackages } = slots[KEY] ?? {}
  // It is asked for with each request to a model.
  if (!unsupported?.size) return []
  // Some files of a package are hooked in later versions only.
  return [...unsupported].filter(([name]) => !loadedPackages?.has(name))
}

interface TargetMatch {
  readonly target: ModuleTarget
  readonly info: ModuleInfo
}

function install(): Hook | undefined {
  const coverage = typeof module.registerHooks === 'function' ? 'all' : 'required'
  const targets: Targets = new Map()
  const matches = new Map<string, TargetMatch>()
  const applied = new WeakSet<object>()
  let probed = false

  const load: LoadHookSync = (url, context, nextLoad) => {
    if (url === probe.url) {
      probed = true
      return { format: 'commonjs', source: '', shortCircuit: true }
    }
    // Before the application can start a thread.
    if (url === 'node:worker_threads') attempt('share lines', shareLines)
    const loaded = nextLoad(url, context)
    if (hook.replacement?.urls.has(url)) return loadReplaced(loaded, url, hook.replacement, SLOT)
    const found = find(url)
    if (!found) return loaded
    matches.set(url, found)
    return appendHandOver(loaded, url, SLOT, createEdit(found))
  }

  const targetAt = (url: string) => {
    const path = pathInModules(url)
    if (path === undefined) return undefined
    const { names, addTargets } = hook.awaited ?? {}
    if (names?.has(packageIn(path)) && addTargets?.() !== undefined) hook.awaited = undefined
    return targets.get(path)
  }
  const match = (url: string, target: ModuleTarget | undefined): TargetMatch | undefined => {
    if (!target) return undefined
    const { package: name, versions } = target
    const info = { package: name, version: versionOf(packageFolder({ package: name, url })), url }
    if (isWithin(versions, info.version)) return { target, info }
    const range = `>=${versions?.from} <${versions?.below}`
    const loaded = `${name} ${info.version}`
    const line = `${loaded} is not instrumented: supported versions are ${range}.`
    if (!hook.unsupported.has(loaded)) log.debug(line)
    hook.unsupported.set(loaded, line)
    return undefined
  }
  const find = (url: string) => match(url, targetAt(url))

  const applyOnce = (match: TargetMatch | undefined, exports: unknown) => {
    if (!match || !isReference(exports) || applied.has(exports)) return
    applied.add(exports)
    hook.loadedPackages.add(`${match.info.package} ${match.info.version ?? 'without a version'}`)
    apply(match.target, exports, match.info)
  }

  const hook: Hook = {
    coverage,
    targets,
    loadedPackages: new Set(),
    unsupported: new Map(),
    handOver(url, exports) {
      applyOnce(matches.get(url), exports)
      matches.delete(url)
    },
    applyToRequired() {
      for (const [path, module] of Object.entries(require.cache)) {
        const target = targetAt(`file://${path.replaceAll('\\', '/')}`)
        if (target && module?.loaded) applyOnce(match(fileUrl(path), target), module.exports)
      }
    },
  }
  const onCompiled = (url: string, exports: unknown) => applyOnce(find(url), exports)
  const editCompiled = (url: string, source: string) => {
    const found = find(url)
    return (found && createEdit(found)?.(source)) ?? source
  }
  const loadThroughOrdinaryLoader: LoadHookSync = (url, context, nextLoad) =>
    load(url, context, throughOrdinaryLoader(nextLoad))
  const register = () =>
    module.registerHooks({ load: hooksBreakCommonJs(process.versions.node) ? loadThroughOrdinaryLoader : load })
  // Jest defines the function, and it throws.
  if (!(coverage === 'all' ? attempt('hook modules', register) : watchCompiled(onCompiled, editCompiled)))
    return undefined
  Object.defineProperty(globalThis, KEY, { value: hook, configurable: true })
  if (coverage === 'all') watchBypasses(() => probed, onCompiled)
  return hook
}

function createEdit({ target, info }: TargetMatch): SourceEditor | undefined {
  const { edit } = target
  return edit && ((source) => attempt(`change ${info.package}`, () => edit(source, info)) ?? source)
}

function isReference(exports: unknown): exports is object {
  return (typeof exports === 'object' && exports !== null) || typeof exports === 'function'
}

function apply(target: ModuleTarget, exports: unknown, info: ModuleInfo): void {
  try {
    target.apply(exports, info)
  } catch (error) {
    log.debug(`cannot instrument ${info.package} ${info.version ?? 'without a version'}: ${messageOf(error)}`, error)
  }
}

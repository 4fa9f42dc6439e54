import type { Modules } from './bundled.ts'
import type { Edits } from './edits.ts'
import { exportOf, type Fields, isMethod, isObject } from './gen-ai/read.ts'
import { paths, type VersionRange } from './hook/target.ts'
import { ownerOf, patchMethods, type Wrappers } from './patch/patch-methods.ts'
import { patchClient } from './stainless/patch.ts'
import { STORES, type StoreName } from './vector-stores/stores.ts'

/** A package whose calls are recorded, with everything that code outside its folder needs to know. */
export interface Library<Module extends keyof Modules = keyof Modules> {
  /** The name in `SVC_INSTRUMENTATIONS` and the docs. Packages with the same name are enabled and disabled together. */
  readonly name: string
  readonly package: string
  /** Supported versions. Others are left alone, with one warning. */
  readonly versions: VersionRange
  /** The files that are patched or edited, for every entry point of the package. */
  readonly files: readonly string[]
  /** The module that wraps the methods. */
  readonly module?: Module
  /** Patches the exports of a file so that calls are recorded. */
  readonly patch?: Patch<Module>
  /** What changes the source of the files, where exports do not reach. */
  readonly edit?: keyof Edits
  /** Called instead of `patch` if a third-party instrumentation replaces this one. */
  readonly whenReplaced?: (exports: unknown, load: () => Modules[Module]) => void
  /** How `instrument()` handles the package in a bundle. Default: the package is unknown to it. */
  readonly bundle?: BundledLibrary<Module>
  /**
   * Matches requests of the library by `<host> <user-agent>`, with ` anthropic-version` appended if they have that
   * header. Used for calls made where the hook cannot see the package.
   */
  readonly requestPattern?: RegExp
  /** Third-party instrumentations that record the same calls, by the last part of their scope's name. */
  readonly duplicates?: Readonly<Record<string, Duplicate>>
  /** Sentry's name for its spans of the same calls: the part of `sentry.origin` after `auto.` and `ai.`. */
  readonly sentryOrigin?: string
  /** Scopes of spans below ours that the library, or what it calls, creates. */
  readonly childScopes?: RegExp
}

/**
 * @param load loads the module that wraps methods; deferred to the first call where possible
 * @returns whether anything was patched that was not yet
 */
export type Patch<Module extends keyof Modules> = (exports: unknown, load: () => Modules[Module]) => boolean

/** A library in a bundle: `instrument()` receives the exports of the whole package. */
export interface BundledLibrary<Module extends keyof Modules> {
  /** Returns whether these are the exports of this library. */
  readonly isExportedIn: (exports: Fields) => boolean
  /** Default: the library's `patch`. */
  readonly patch?: Patch<Module>
  /** Returns what the user has to do if the library cannot be instrumented in a bundle. */
  readonly advice?: (exports: Fields) => string | undefined
}

/** What a third-party instrumentation records that ours records as well. */
export interface Duplicate {
  /** Matches the names of the duplicate spans; its other spans are kept. Default: all of its spans. */
  readonly spans?: RegExp
  /** It records a framework that calls model clients. */
  readonly isFramework?: true
  /** The name of its package, if that differs from the scope's. */
  readonly package?: string
  /** A package that needs no hook: when constructed, it loads what it instruments and patches it. */
  readonly patchesByItself?: string
}

/** Defines a library, with its functions type-checked against its module. */
export function defineLibrary<Module extends keyof Modules>(row: Library<Module>): Library {
  return row as unknown as Library
}

/** Files of a client that Stainless generates: the class is in `client`, in older versions in `index`. */
export const STAINLESS = paths(['index', 'client'], ['.js', '.mjs'])

/**
 * Matches the user agent of a client that Stainless generates, which has the name of its class; a bundler may have
 * minified that.
 */
function stainlessRequestPattern(name: string, host: string): RegExp {
  return new RegExp(`^${host.replaceAll('.', '\\.')} \\S+/JS |^\\S+ \\w*${name}\\w*/JS `)
}

interface CompatibleLibrary extends Pick<Library, 'name' | 'package' | 'versions' | 'duplicates' | 'sentryOrigin'> {
  /** The name of the class that is exported. */
  readonly client: string
  /** The default host of its requests. */
  readonly host: string
  /** `gen_ai.provider.name` */
  readonly provider: string
  /** Default: {@link STAINLESS}. */
  readonly files?: readonly string[]
}

/** Defines a client that Stainless generates for an API compatible with OpenAI's. */
export function defineCompatible({ client, provider, host, files = STAINLESS, ...row }: CompatibleLibrary): Library {
  return defineLibrary({
    ...row,
    files,
    module: 'openai/compatible',
    patch: (exports, load) =>
      patchClient(exportOf(exports, client), () => load().createCompatibleWrappers(row.name, provider)),
    bundle: { isExportedIn: exportsClass(client, 'post') },
    requestPattern: stainlessRequestPattern(client, host),
  })
}

interface VectorStoreLibrary extends Pick<Library, 'package' | 'versions' | 'files' | 'bundle'> {
  readonly name: StoreName
  /** The name of the class that is exported. */
  readonly client?: string
  /** Patches the objects that the class creates. Default: the class itself has the query methods. */
  readonly patchStore?: (exports: unknown, methods: readonly string[], load: () => Wrappers) => boolean
}

/** Defines a vector store, whose queries are observations of type retriever. */
export function defineVectorStore({ client = '', name, patchStore, ...row }: VectorStoreLibrary): Library {
  const methods = Object.keys(STORES[name].queries)
  const patch = patchStore ?? ((exports, names, load) => patchMethods(exportOf(exports, client), names, load))
  return defineLibrary({
    bundle: { isExportedIn: exportsClass(client, patchStore ? 'getCollection' : (methods[0] ?? '')) },
    ...row,
    name,
    module: 'vector-stores/instrument',
    patch: (exports, load) => patch(exports, methods, () => load().createStoreWrappers(name)),
  })
}

/** Returns a predicate: one of these names is exported. */
export function exportsAnyOf(...names: readonly string[]): BundledLibrary<never>['isExportedIn'] {
  return (exports) => names.some((name) => isMethod(exports[name]) || isObject(exports[name]))
}

/** Returns a predicate: a class with this method is exported. Several libraries export a class of the same name. */
export function exportsClass(name: string, method: string): BundledLibrary<never>['isExportedIn'] {
  return (exports) => ownerOf(exports[name], method) !== undefined
}

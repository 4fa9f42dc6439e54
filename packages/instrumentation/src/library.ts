import type { Edits } from './edits.ts'
import { type Fields, isMethod, isObject } from './gen-ai/read.ts'
import { paths, type VersionRange } from './hook/target.ts'
import { ownerOf } from './patch/patch-methods.ts'
import type { Patches } from './patches.ts'

/** A package whose calls are recorded, with everything that code outside its folder needs to know. */
export interface Library {
  /** The name in `SVC_INSTRUMENTATIONS` and the docs. Packages with the same name are enabled and disabled together. */
  readonly name: string
  readonly package: string
  /** Supported versions. Others are left alone, with one warning when a call of theirs is seen. */
  readonly versions: VersionRange
  /** The files that are patched or edited, for every entry point of the package. */
  readonly files: readonly string[]
  /** What patches the exports of a file so that calls are recorded. */
  readonly patch?: keyof Patches
  /** What changes the source of the files, where exports do not reach. */
  readonly edit?: keyof Edits
  /** Called instead of `patch` if a third-party instrumentation replaces this one. */
  readonly whenReplaced?: keyof Patches
  /** How `instrument()` handles the package in a bundle. Default: the package is unknown to it. */
  readonly bundle?: BundledLibrary
  /**
   * Matches requests of the library by `<host> <user-agent>`, with ` anthropic-version` appended if they have that
   * header. Used for calls made where the hook cannot see the package.
   */
  readonly requestPattern?: RegExp
  /** Its calls are more than the requests in them: steps, tools. */
  readonly isFramework?: true
  /** Third-party instrumentations that record the same calls, by the last part of their scope's name. */
  readonly duplicates?: Readonly<Record<string, Duplicate>>
  /** Sentry's name for its spans of the same calls: the part of `sentry.origin` after `auto.` and `ai.`. */
  readonly sentryOrigin?: string
  /** Scopes of spans below ours that the library, or what it calls, creates. */
  readonly childScopes?: RegExp
  /** Names of their spans around ours of the same call, which only a provider of the application has. */
  readonly ownSpans?: RegExp
}

/** A library in a bundle: `instrument()` receives the exports of the whole package. */
export interface BundledLibrary {
  readonly isExportedIn: (exports: Fields) => boolean
  /** Default: the library's `patch`. */
  readonly patch?: keyof Patches
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

/** Files of a client that Stainless generates: the class is in `client`, in older versions in `index`. */
export const STAINLESS = paths(['index', 'client'], ['.js', '.mjs'])

/**
 * Matches the user agent of a client that Stainless generates, which has the name of its class; a bundler may have
 * minified that.
 */
function stainlessRequestPattern(name: string, host: string): RegExp {
  return new RegExp(`^${host.replaceAll('.', '\\.')} \\S+/JS |^\\S+ \\w*${name}\\w*/JS `)
}

interface CompatibleLibrary extends Pick<Library, 'package' | 'versions' | 'duplicates' | 'sentryOrigin'> {
  readonly name: string & keyof Patches
  /** The name of the class that is exported. */
  readonly client: string
  /** The default host of its requests. */
  readonly host: string
  /** Default: {@link STAINLESS}. */
  readonly files?: readonly string[]
}

/** Defines a client that Stainless generates for an API compatible with OpenAI's. */
export function defineCompatible({ client, host, files = STAINLESS, ...row }: CompatibleLibrary): Library {
  return {
    ...row,
    files,
    patch: row.name,
    bundle: { isExportedIn: exportsClass(client, 'post') },
    requestPattern: stainlessRequestPattern(client, host),
  }
}

/** Returns a predicate: one of these names is exported. */
export function exportsAnyOf(...names: readonly string[]): BundledLibrary['isExportedIn'] {
  return (exports) => names.some((name) => isMethod(exports[name]) || isObject(exports[name]))
}

/** Returns a predicate: a class with this method is exported. Several libraries export a class of the same name. */
export function exportsClass(name: string, method: string): BundledLibrary['isExportedIn'] {
  return (exports) => ownerOf(exports[name], method) !== undefined
}

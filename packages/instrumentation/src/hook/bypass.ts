import { createRequire, Module } from 'node:module'
import { dirname, join } from 'node:path'
import { fileUrl } from './file-url.ts'

const require = createRequire(import.meta.filename)

/*
 * Tools such as tsx put a handler of their own in the place of Node's for `.js` files, one that reads and compiles every
 * required file itself, and no load hook is asked. Only once such a tool is seen are compiled files watched: the
 * watching stands in the stack of every error that a file throws while it loads.
 */

/**
 * The URL by which {@link watchBypasses} detects whether Node's own handler is in place: load hooks are called for it.
 * Undefined outside of that check.
 */
export const probe: { url?: string } = {}

type Compile = (this: { readonly exports: unknown }, ...args: unknown[]) => unknown
type Handler = NonNullable<NodeJS.RequireExtensions[string]>

/**
 * Calls `compiled` with the URL and the exports of each executed CommonJS file, from the moment that files can bypass
 * load hooks.
 *
 * @param probed whether a load hook was asked for the URL of {@link probe}
 */
export function watchBypasses(probed: () => boolean, compiled: (url: string, exports: unknown) => void): void {
  const { extensions } = require
  const own = extensions['.js']
  if (!own || !isNodesOwn(own, probed)) {
    watchCompiled(compiled)
    return
  }
  Object.defineProperty(extensions, '.js', {
    enumerable: true,
    configurable: true,
    get: () => own,
    set(value: Handler) {
      Object.defineProperty(extensions, '.js', { value, writable: true, enumerable: true, configurable: true })
      watchCompiled(compiled)
    },
  })
}

/** A name that only Node's own code can use: a method saved before any other code runs. */
const INTERNAL_NAME = /\bStringPrototypeEndsWith\(/

function isNodesOwn(handler: Handler, probed: () => boolean): boolean {
  if (INTERNAL_NAME.test(String(handler))) return true
  const path = join(dirname(import.meta.filename), 'svc-probe.cjs')
  probe.url = fileUrl(path)
  try {
    handler(new Module(path), path)
  } catch {
    // The file does not exist; a handler that tries to read it is not Node's.
  }
  return probed()
}

/**
 * Calls `compiled` with the URL and the exports of each CommonJS file that runs from now on.
 *
 * @param edit changes the source of a file before it is compiled
 * @returns whether this runtime lets files be watched
 */
export function watchCompiled(
  compiled: (url: string, exports: unknown) => void,
  edit?: (url: string, source: string) => string,
): boolean {
  const { prototype } = Module
  const compile: unknown = Reflect.get(prototype, '_compile')
  if (typeof compile !== 'function' || process.versions.bun) return false
  const watched: Compile = function (...[source, path, ...more]) {
    const url = typeof path === 'string' ? fileUrl(path) : undefined
    const edited = edit && url && typeof source === 'string' ? edit(url, source) : source
    const result: unknown = Reflect.apply(compile, this, [edited, path, ...more])
    if (url) compiled(url, this.exports)
    return result
  }
  return Reflect.set(prototype, '_compile', watched)
}

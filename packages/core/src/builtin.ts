import { loadBuiltin } from '@svc/core/load-builtin'

export interface Builtins {
  'node:async_hooks': typeof import('node:async_hooks')
  'node:crypto': typeof import('node:crypto')
  'node:diagnostics_channel': typeof import('node:diagnostics_channel')
  'node:events': typeof import('node:events')
  'node:fs': typeof import('node:fs')
  'node:http': typeof import('node:http')
  'node:https': typeof import('node:https')
  'node:module': typeof import('node:module')
  'node:net': typeof import('node:net')
  'node:os': typeof import('node:os')
  'node:path': typeof import('node:path')
  'node:process': typeof import('node:process')
  'node:tls': typeof import('node:tls')
  'node:v8': typeof import('node:v8')
  'node:vm': typeof import('node:vm')
  'node:worker_threads': typeof import('node:worker_threads')
  'node:zlib': typeof import('node:zlib')
}

/** Returns a built-in module of Node.js; undefined if the runtime does not have it. */
export function builtin<Id extends keyof Builtins>(id: Id): Builtins[Id] | undefined {
  try {
    return loadBuiltin(id)
  } catch {
    return undefined
  }
}

/**
 * Whether the runtime has a built-in module. Does not load it: those for connections and compression take milliseconds.
 */
export function hasBuiltin(id: keyof Builtins): boolean {
  return builtin('node:module')?.isBuiltin(id) === true
}

// Not `createRequire` by name: bundlers add lines to a bundle that import it, and webpack warns about such calls.
import { Module } from 'node:module'
import type { Builtins } from './builtin.ts'

// The application may remove or replace the global later. A replacement that was there before has no such function.
const host = globalThis.process as NodeJS.Process | undefined

/** Returns a built-in module of Node.js. Before 22.3, Node needs `require` for that. */
export function loadBuiltin<Id extends keyof Builtins>(id: Id): Builtins[Id] | undefined {
  return host?.getBuiltinModule ? host.getBuiltinModule(id) : Module.createRequire('/')(id)
}

// Not `createRequire` by name: bundlers add lines to a bundle that import it, and webpack warns about such calls.
import { Module } from 'node:module'
import type { Builtins } from './builtin.ts'

/** Returns a built-in module of Node.js. Before 22.3, Node needs `require` for that. */
export function loadBuiltin<Id extends keyof Builtins>(id: Id): Builtins[Id] | undefined {
  return process.getBuiltinModule ? process.getBuiltinModule(id) : Module.createRequire(process.execPath)(id)
}

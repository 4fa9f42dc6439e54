import { createRequire } from 'node:module'
import type { Builtins } from './builtin.ts'

/** {@link Builtins} of Node.js itself, which gives them out without `require` from 22.3 on. */
export function loadBuiltin<Id extends keyof Builtins>(id: Id): Builtins[Id] | undefined {
  return process.getBuiltinModule ? process.getBuiltinModule(id) : createRequire(process.execPath)(id)
}

import type { Builtins } from './builtin.ts'

/**
 * Returns a built-in module of Node.js, if the runtime has it. Without an import: bundlers for edge runtimes and
 * browsers follow imports, also dynamic ones, and fail on `node:` names.
 */
export function loadBuiltin<Id extends keyof Builtins>(id: Id): Builtins[Id] | undefined {
  return globalThis.process?.getBuiltinModule?.(id)
}

import type { Builtins } from './builtin.ts'

/**
 * A module of Node.js where the runtime gives it out. Never an import: bundlers for edge runtimes and browsers follow
 * imports, dynamic ones too, and fail on `node:` names.
 */
export function loadBuiltin<Id extends keyof Builtins>(id: Id): Builtins[Id] | undefined {
  return globalThis.process?.getBuiltinModule?.(id)
}

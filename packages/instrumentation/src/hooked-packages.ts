import { HOOK_TABLE } from './hook-table.ts'

/**
 * The packages with files that are hooked. In the published bundle this module is replaced by the names
 * (`scripts/bundle.mjs`), so that they are known without the table.
 */
export const HOOKED_PACKAGES: readonly string[] = [...new Set(HOOK_TABLE.map((row) => row.package))]

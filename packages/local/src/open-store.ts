import { databaseError } from './start-error.ts'
import { ownDatabase } from './store/own-database.ts'
import { Store, type StoreOptions } from './store/store.ts'
import type { TemporaryFile } from './store/temporary.ts'

/** Of the options of the service, those of its data. */
interface Kept {
  readonly db?: string
  readonly maxBytes?: number
  readonly keepMs?: number
  readonly waits?: boolean
}

/** Without `--db` the oldest traces make room beyond this. A file is the user's, and kept whole. */
const TEMPORARY_BYTES = 256 * 1024 * 1024

/** Opens the database that the options ask for. @throws LocalStartError */
export function openStore(options: Kept, temporary: TemporaryFile | undefined) {
  try {
    const file = options.db === undefined ? temporary?.file : ownDatabase(options.db)
    return { file, store: new Store(file, storeOptions(options)) }
  } catch (error) {
    temporary?.remove()
    throw databaseError(error, options.db)
  }
}

export const storeOptions = ({ db, maxBytes, keepMs, waits = false }: Kept): StoreOptions => ({
  maxBytes: maxBytes ?? (db === undefined ? TEMPORARY_BYTES : Number.POSITIVE_INFINITY),
  keepMs: keepMs ?? 0,
  durable: db !== undefined,
  waits,
})

import type { DatabaseSync } from 'node:sqlite'

/** Opens the database file, or one in memory. SQLite is loaded here and not before. */
export function openDatabase(file: string | undefined): DatabaseSync {
  const { DatabaseSync } = quietly(() => process.getBuiltinModule('node:sqlite'))
  const database = new DatabaseSync(file ?? ':memory:')
  try {
    // WAL: a reader in another process is not blocked; NORMAL: a power cut may cost the last batch, never the file.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

// Node 22 calls SQLite experimental at its first use. That one warning is not the user's business; others pass.
function quietly<T>(load: () => T): T {
  const emit = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!/SQLite is an experimental feature/.test(String(warning))) emit.call(process, warning, ...rest)
  }) as typeof emit
  try {
    return load()
  } finally {
    process.emitWarning = emit
  }
}

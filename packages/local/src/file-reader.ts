import { DEFAULT_KEYS } from './address.ts'
import { ownReader } from './mcp/own-reader.ts'
import { openStore } from './open-store.ts'
import type { TraceReader } from './questions/reader.ts'
import { READS } from './threads/reads.ts'

/** A database file that is read without a service: who asks one question waits for no thread and no socket. */
export interface FileReader {
  readonly reader: TraceReader
  close(): void
}

/** @throws LocalStartError when the file cannot be used */
export function openReader(db: string): FileReader {
  const { store } = openStore({ db, waits: true }, undefined)
  const call = { headers: {}, left: new AbortController().signal }
  return { reader: ownReader(READS, { keys: DEFAULT_KEYS, store }, call), close: () => store.close() }
}

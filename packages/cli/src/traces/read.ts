import { existsSync } from 'node:fs'
import type { TraceReader } from '@svc/local/questions'
import { Failure } from '../failure.ts'
import type { PlaceFlags } from './open.ts'

/**
 * Lets `act` read where the flags say. A file is read here: starting a service for one question would take twice as long
 * as the answer, and so would loading the client. @throws {Failure}
 */
export async function withReader(flags: PlaceFlags, act: (reader: TraceReader) => Promise<void>): Promise<void> {
  if (flags.db === undefined) {
    const { withApi } = await import('./open.ts')
    return withApi(flags, ({ api }) => act(api))
  }
  const file = await opened(flags.db, async (db) => (await import('@svc/local/file-reader')).openReader(db))
  try {
    await act(file.reader)
  } finally {
    file.close()
  }
}

/** Opens a file of `svc local` that is there. @throws {Failure} */
export async function opened<File>(db: string, open: (db: string) => Promise<File>): Promise<File> {
  if (!existsSync(db)) throw new Failure(`there is no file ${db}: svc local --db ${db} makes it`)
  try {
    return await open(db)
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}

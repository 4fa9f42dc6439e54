import type { TraceReader } from '@svc/local/questions'
import { opened, type PlaceFlags } from './place.ts'

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

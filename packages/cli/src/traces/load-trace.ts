import { existsSync } from 'node:fs'
import { findTrace } from '@svc/local/questions'
import { Failure } from '../failure.ts'
import { rejectMisuse } from './command.ts'
import type { PlaceFlags } from './place.ts'
import { withReader } from './read.ts'
import { readTraceFile, type TraceFile } from './trace-file.ts'

/** All that a replay reads. */
const FIELDS = 'core,basic,io,model,usage,metadata'

/** Loads a trace by the beginning of its id, from where the flags say, or from a file of `svc traces export`. @throws {Failure} */
export async function loadTrace(given: string, flags: PlaceFlags): Promise<TraceFile> {
  if (existsSync(given)) return readFile(given)
  let observations: TraceFile['observations'] = []
  await withReader(flags, async (reader) => {
    observations = await findTrace(reader, given, FIELDS).catch(rejectMisuse)
  })
  return { traceId: observations[0]?.traceId ?? given, observations }
}

/** @throws {Failure} */
function readFile(path: string): TraceFile {
  try {
    return readTraceFile(path)
  } catch (error) {
    throw error instanceof TypeError ? new Failure(error.message) : error
  }
}

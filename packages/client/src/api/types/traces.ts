import type { MessageResponse } from './pages.ts'

export type DeleteTraceResponse = MessageResponse

export interface DeleteTracesRequest {
  /** Their observations and scores are deleted, too. Up to 1,000 in one call are safe. */
  traceIds: readonly string[]
}

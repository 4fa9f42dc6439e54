export interface DeleteTraceResponse {
  message: string
}

export interface DeleteTracesRequest {
  /** Their observations and scores are deleted, too. Up to 1,000 in one call are safe. */
  traceIds: readonly string[]
}

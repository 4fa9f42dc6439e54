export interface DeleteTraceResponse {
  message: string
}

export interface DeleteTracesRequest {
  /** Their observations and scores go with them. 1,000 in one call are safe. */
  traceIds: readonly string[]
}

/** How the way to the service is doing. */
export interface DeliveryHealth {
  /** Spans that wait or are under way. */
  readonly queued: number
  /** When spans arrived last, in milliseconds since 1970. */
  readonly lastSuccess: number | undefined
  /** When spans did not arrive last, and why. */
  readonly lastFailure: { readonly at: number; readonly reason: string } | undefined
}

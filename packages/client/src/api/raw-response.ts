/** The answer behind a result, without its body, which has been read. */
export interface RawResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly url: string
}

/** A result together with the answer it came from. */
export interface WithRawResponse<T> {
  readonly data: T
  readonly rawResponse: RawResponse
}

export function rawResponseOf({ status, statusText, headers, url }: Response): RawResponse {
  return { status, statusText, headers, url }
}

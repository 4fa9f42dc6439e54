/** Where a page is among all pages. */
export interface MetaResponse {
  page: number
  limit: number
  totalItems: number
  totalPages: number
}

/** Time in a request: an ISO text, or a `Date`. */
export type Moment = string | Date

/** Which page of a listing that counts its pages. */
export interface PageRequest {
  /** 1 is the first. */
  page?: number | undefined
  limit?: number | undefined
}

/** Where a listing goes on. */
export interface CursorRequest {
  limit?: number | undefined
  /** `meta.cursor` of the page before. */
  cursor?: string | undefined
}

export interface CursorMeta {
  /** Where the next page begins; missing or null on the last one. */
  cursor?: string | null
}

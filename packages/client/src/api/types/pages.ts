/** The position of a page, and totals. */
export interface MetaResponse {
  page: number
  limit: number
  totalItems: number
  totalPages: number
}

/** A time in a request: an ISO string or a `Date`. */
export type Moment = string | Date

/** The page of a listing with numbered pages. */
export interface PageRequest {
  /** 1 is the first. */
  page?: number | undefined
  limit?: number | undefined
}

/** The position in a listing with cursors. */
export interface CursorRequest {
  limit?: number | undefined
  /** `meta.cursor` of the page before. */
  cursor?: string | undefined
}

export interface CursorMeta {
  /** Cursor of the next page; missing or null on the last one. */
  cursor?: string | null
}

/** One of the values of a table, such as `BlobStorageExportMode`. */
export type ValueOf<Table> = Table[keyof Table]

/** Omitted fields are not changed. */
export type ChangesOf<Request> = { [Field in keyof Request]?: Request[Field] | undefined }

/** A numbered page of a listing. */
export interface PageOf<Row> {
  data: Row[]
  meta: MetaResponse
}

/** A page of a listing with cursors. */
export interface CursorPageOf<Row> {
  data: Row[]
  meta: CursorMeta
}

/** A sentence on what was done. */
export interface MessageResponse {
  message: string
}

import { SvcAPIError, SvcPageError } from './errors.ts'

/** How the next page of a listing is requested: by its number, or by the cursor in the page before. */
export type Paging = 'page' | 'cursor'

interface Page {
  readonly data: readonly unknown[]
  /** Number or cursor of the next page; undefined on the last one. */
  readonly next: string | number | undefined
}

/**
 * Yields all items from the page `first` on, and fetches each further page when it is needed.
 *
 * @param call for messages: `GET /api/public/v2/datasets`
 * @param fetchPage fetches the page with a number or cursor
 * @throws {SvcPageError} if a following page cannot be fetched: the caller must not mistake the items so far for all of
 * them
 */
export async function* itemsOf(
  call: string,
  paging: Paging,
  first: Promise<unknown>,
  fetchPage: (at: string | number) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  let delivered = 0
  let page = pageOf(await first, paging, call)
  const seen = new Set<string | number>()
  for (let count = 1; ; count++) {
    yield* page.data
    delivered += page.data.length
    const { next } = page
    if (next === undefined) return
    const broken = (why: string, cause?: unknown) =>
      pageError(`${call} stopped after ${count === 1 ? '1 page' : `${count} pages`}`, why, delivered, cause)
    if (seen.has(next)) throw broken('the cursor of the next page was used before')
    seen.add(next)
    page = pageOf(await followed(fetchPage(next), broken), paging, call)
    if (paging === 'page' && page.data.length === 0) throw broken('the next page is empty')
  }
}

async function followed(
  page: Promise<unknown>,
  broken: (why: string, cause: unknown) => SvcPageError,
): Promise<unknown> {
  try {
    return await page
  } catch (error) {
    const gone = error instanceof SvcAPIError && [400, 404, 410].includes(error.statusCode ?? 0)
    if (gone) throw broken(`the next page is gone (${error.message})`, error)
    throw error
  }
}

function pageError(stopped: string, why: string, delivered: number, cause: unknown): SvcPageError {
  const { statusCode, body, rawResponse } = cause instanceof SvcAPIError ? cause : {}
  const message = `${stopped} and ${delivered} items: ${why}. List again from the start.`
  return new SvcPageError(message, { statusCode, body, rawResponse, cause })
}

function pageOf(answer: unknown, paging: Paging, call: string): Page {
  const { data, meta } = (answer ?? {}) as { data?: unknown; meta?: Record<string, unknown> | null }
  if (!Array.isArray(data)) throw new SvcPageError(`${call} answered with an invalid page: it has no data.`)
  return { data, next: paging === 'page' ? nextNumber(meta) : nextCursor(meta) }
}

function nextNumber(meta: Record<string, unknown> | null | undefined): number | undefined {
  const [page, total] = [Number(meta?.page), Number(meta?.totalPages)]
  return total > page ? page + 1 : undefined
}

function nextCursor(meta: Record<string, unknown> | null | undefined): string | undefined {
  const cursor = meta?.cursor
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined
}

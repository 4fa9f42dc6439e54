import type { Bytes } from '@svc/core/bytes'
import { isRedirect } from '@svc/core/http-exchange'
import { ownFields } from '@svc/core/own'
import { bodyOf } from '@svc/core/read-body'

/** Time-out of a download in milliseconds, redirects included. */
const STORAGE_LIMIT_MS = 60_000
/** Storages redirect to another region. */
const MOST_REDIRECTS = 5

/**
 * Downloads media from the URL that the service gave. It contains all that the storage has to know: no header of ours
 * is sent.
 *
 * @throws {Error} with the reason, without a full stop
 */
export async function download(from: string): Promise<Bytes> {
  const signal = AbortSignal.timeout(STORAGE_LIMIT_MS)
  let url = new URL(from)
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, ownFields<RequestInit>({ redirect: 'manual', signal }))
    const location = isRedirect(response) ? response.headers.get('location') : null
    if (location === null) {
      const bytes = await bodyOf(response)
      if (response.ok) return bytes
      throw new Error(`the storage answered ${response.status}`)
    }
    await response.body?.cancel()
    const next = new URL(location, url)
    if (redirects === MOST_REDIRECTS) throw new Error(`the storage redirects more than ${MOST_REDIRECTS} times`)
    if (next.protocol !== url.protocol && next.protocol !== 'https:') {
      throw new Error(`the storage redirects from ${url.protocol} to ${next.protocol}, which is not followed`)
    }
    url = next
  }
}

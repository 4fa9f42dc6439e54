/** A vector that no trace may hold. */
export const VECTOR = Array.from({ length: 384 }, (_, at) => at / 384)

/**
 * Answers the requests of a vector store in the place of its server.
 *
 * @param answerTo gives what the server says to a path: `{ status?, body }`
 */
export function serve(answerTo) {
  globalThis.fetch = async (request) => {
    const { pathname } = new URL(request.url ?? request)
    const { status = 200, body } = answerTo(pathname)
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  }
}

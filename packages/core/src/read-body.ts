import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Bytes } from './bytes.ts'
import { concatBytes, type HttpResponse } from './http-exchange.ts'

/**
 * Reads what servers answer, up to a bound in bytes as they are after decompression. What is longer is not kept, and its
 * connection is closed.
 */

/** Maximum bytes of an answer. */
export const ANSWER_LIMIT = 64 * 1_048_576
/** Bytes that are read of the body of an error. */
export const ERROR_LIMIT = 1_048_576

/** Objects and lists in an answer: a million of them takes up to 100 MB, whatever their few bytes are. */
const MOST_CONTAINERS = 2_000_000
/** Those, and what is in them: five million names of one object took many seconds. */
const MOST_VALUES = 4_000_000

/** Thrown for an answer beyond a limit. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
  constructor(limit: string) {
    super(`it has more than ${limit}`)
  }
}

/** Resolves with the response to a request over `node:http`; rejects without one. */
export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
    // Settled already in every known case; a promise that never settles would block a flush.
    request.on('close', () => reject(new Error('the connection was closed without a response')))
  })
}

export interface Beginning extends Pick<HttpResponse, 'complete'> {
  readonly body: Bytes
  /** Why the body broke off. */
  readonly broken?: unknown
}

/** Returns at most `limit` bytes. Never rejects: a body that breaks off has a beginning, too. */
export async function beginningOf(parts: AsyncIterable<Uint8Array>, limit: number): Promise<Beginning> {
  const kept: Uint8Array[] = []
  let left = limit
  let broken: unknown
  try {
    for await (const part of parts) {
      kept.push(part.subarray(0, left))
      left -= part.length
      if (left < 0) break
    }
  } catch (error) {
    broken = error
  }
  return { body: concatBytes(kept), complete: left >= 0 && broken === undefined, broken }
}

/**
 * Returns the whole body of a success, and of an error at most its first {@link ERROR_LIMIT} bytes.
 *
 * @throws {TooLargeError} if the body of a success is larger than `limit`; or why it broke off
 */
export async function wholeBody(
  parts: AsyncIterable<Uint8Array>,
  isSuccess: boolean,
  limit = ANSWER_LIMIT,
): Promise<Bytes> {
  const { body, complete, broken } = await beginningOf(parts, isSuccess ? limit : ERROR_LIMIT)
  if (broken !== undefined) throw broken
  if (isSuccess && !complete) throw new TooLargeError(`${limit / 1_048_576} MiB`)
  return body
}

/** {@link wholeBody} of a response of `fetch`. */
export function bodyOf(response: Response, limit?: number): Promise<Bytes> {
  return wholeBody(partsOf(response), response.ok, limit)
}

/** Yields the parts of a body. Whoever stops earlier closes the connection. */
export async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  try {
    for (let next = await reader?.read(); next?.value; next = await reader?.read()) yield next.value
  } finally {
    // Rejects if the body broke off, which is known already.
    reader?.cancel().catch(() => {})
  }
}

/** `JSON.parse` of an answer. @throws {TooLargeError} if it would take too much memory or time; {SyntaxError} */
export function parsedAnswer(text: string): unknown {
  if (text.length > MOST_CONTAINERS) checkSize(text)
  return JSON.parse(text)
}

function checkSize(text: string): void {
  let [containers, commas] = [0, 0]
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) isInString = !isInString
    else if (isInString) at += character === BACKSLASH ? 1 : 0
    else if (character === COMMA) commas += 1
    else if (character === BRACKET || character === BRACE) containers += 1
  }
  if (containers > MOST_CONTAINERS) throw new TooLargeError(`${MOST_CONTAINERS / 1e6} million objects and lists`)
  if (containers + commas > MOST_VALUES) throw new TooLargeError(`${MOST_VALUES / 1e6} million values`)
}

const [QUOTE, BACKSLASH, BRACKET, BRACE, COMMA] = [34, 92, 91, 123, 44]

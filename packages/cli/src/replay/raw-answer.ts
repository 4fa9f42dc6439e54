import type { ServerResponse } from 'node:http'
import { isFields, parsedJson } from '@svc/core/json'

/** What was received of one request, as `SVC_RECORD=raw` keeps it. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly encoding: 'utf8' | 'base64'
  /** The chunks of the body, by the reads of the connection that they came with. */
  readonly reads: readonly (readonly string[])[]
  /** Whether the connection was lost. */
  readonly isBroken?: true
}

/** Reads the raw answers of a call, in the order of its requests. Empty if none were kept. */
export function readRawAnswers(attribute: unknown): readonly RawAnswer[] {
  const answers = Array.isArray(attribute) ? attribute.map((text) => parsedJson(String(text))) : []
  return answers.every(isRawAnswer) ? answers : []
}

const isRawAnswer = (value: unknown): value is RawAnswer =>
  isFields(value) && Number.isInteger(value.status) && isFields(value.headers) && Array.isArray(value.reads)

/**
 * Answers with the same status and headers, in the same pieces.
 *
 * @param isRead resolves when the application has read so many bytes
 */
export async function answerRaw(
  response: ServerResponse,
  { status, headers, reads, encoding, isBroken }: RawAnswer,
  isRead: (bytes: number) => Promise<void>,
): Promise<void> {
  response.writeHead(status, headers)
  let bytes = 0
  for (const texts of reads) {
    // The application has left.
    if (response.destroyed) return
    const chunks = texts.map((text) => Buffer.from(text, encoding))
    response.socket?.cork()
    for (const chunk of chunks) response.write(chunk)
    response.socket?.uncork()
    bytes += chunks.reduce((total, { length }) => total + length, 0)
    await isRead(bytes)
  }
  if (isBroken) response.socket?.destroySoon()
  else response.end()
}

import type { IncomingMessage } from 'node:http'
import { createGunzip, type Gunzip } from 'node:zlib'
import { Refusal } from './answer.ts'

export interface BodyLimits {
  /** Most bytes of body that are read from the wire. */
  readonly wire: number
  /** Most bytes that it may decompress to. */
  readonly decoded: number
}

/** Far above any sane batch, far below what hurts. The service itself warns from 16 MiB. */
const BODY_LIMITS: BodyLimits = { wire: 32 * 1024 * 1024, decoded: 32 * 1024 * 1024 }

/**
 * Reads a request's body, decompressed when `Content-Encoding` is gzip. Both limits hold while reading: a bomb is dropped at the
 * limit and never held whole.
 *
 * @throws Refusal 413 beyond a limit, 400 for bad gzip, another encoding, or a body that stops early.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits = BODY_LIMITS): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? ''
  if (encoding.includes('gzip')) return collect(request, limits, createGunzip())
  if (encoding === '' || encoding === 'identity') return collect(request, limits, undefined)
  return Promise.reject(
    new Refusal(400, 'Failed to decompress request body', `Content-Encoding ${encoding} is not supported: send gzip.`),
  )
}

function collect(request: IncomingMessage, limits: BodyLimits, gunzip: Gunzip | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let wire = 0
    let size = 0
    const refuse = (refusal: Refusal) => {
      request.unpipe().removeAllListeners('data')
      gunzip?.destroy()
      chunks.length = 0
      // Read on without keeping, so that the client gets to the answer.
      request.resume()
      reject(refusal)
    }
    request.on('data', (chunk: Buffer) => {
      wire += chunk.length
      if (wire > limits.wire) refuse(tooLarge(limits.wire, 'body'))
    })
    request.on('error', () => refuse(new Refusal(400, 'The body stopped before its end')))
    const source = gunzip ? request.pipe(gunzip) : request
    source.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limits.decoded) refuse(tooLarge(limits.decoded, 'decompressed body'))
      else chunks.push(chunk)
    })
    gunzip?.on('error', (error) => refuse(new Refusal(400, 'Failed to decompress request body', error.message)))
    // The chunks go at once: what listens to the request lives as long as its answer.
    source.on('end', () => resolve(Buffer.concat(chunks.splice(0))))
  })
}

/** A body that was read, if it is within limits. @throws Refusal 413 */
export function checkLength(body: Buffer, { decoded }: BodyLimits = BODY_LIMITS): Buffer {
  if (body.length > decoded) throw tooLarge(decoded, 'decompressed body')
  return body
}

function tooLarge(limit: number, what: string): Refusal {
  return new Refusal(413, `The ${what} is larger than ${limit} bytes`, 'Payload Too Large', { connection: 'close' })
}

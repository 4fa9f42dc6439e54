import { builtin } from '@svc/core/builtin'

/** Most bytes that a compressed body may become. */
const DECODED_LIMIT = 33_554_432

/** How many times as long as its compressed form a body of gzip can be. */
const LARGEST_RATIO = 1_032

/** Returns a body without its `content-encoding`, as far as it arrived; undefined if it cannot be decoded. */
export function decodedBody(bytes: Buffer, encoding: string | undefined): Buffer | undefined {
  const codings = (encoding ?? '').toLowerCase().split(',', 4).reverse()
  return codings.reduce<Buffer | undefined>((body, coding) => body && decodedOnce(body, coding.trim()), bytes)
}

function decodedOnce(bytes: Buffer, coding: string): Buffer | undefined {
  if (coding === '' || coding === 'identity') return bytes
  const zlib = builtin('node:zlib')
  if (!zlib) return undefined
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants
  const maxOutputLength = DECODED_LIMIT
  // Some servers send it without its header, whose lowest bits are these.
  if (coding === 'deflate' && ((bytes[0] ?? 0) & 15) !== 8)
    return zlib.inflateRawSync(bytes, { maxOutputLength, finishFlush: Z_SYNC_FLUSH })
  // A stream that broke ends in the middle, which only an end that is flushed allows.
  if (/^(?:x-)?gzip$|^deflate$/.test(coding))
    return zlib.unzipSync(bytes, { maxOutputLength, finishFlush: Z_SYNC_FLUSH, chunkSize: decodedSize(bytes) })
  if (coding === 'br') return zlib.brotliDecompressSync(bytes, { maxOutputLength, finishFlush: BROTLI_OPERATION_FLUSH })
  if (coding === 'zstd') return zlib.zstdDecompressSync?.(bytes, { maxOutputLength, finishFlush: ZSTD_e_flush })
  return undefined
}

/** The length that gzip says at its end, and one byte more: into one piece of that size it costs a third less. */
function decodedSize(bytes: Buffer): number {
  const stated = bytes.length < 8 ? 0 : bytes.readUInt32LE(bytes.length - 4)
  // What broke ends otherwise, and somebody may lie.
  return 1 + Math.max(16_384, Math.min(stated, bytes.length * LARGEST_RATIO, DECODED_LIMIT))
}

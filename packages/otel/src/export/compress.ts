import { builtin } from '@svc/core/builtin'
import type { Compression } from '../compression.ts'

/** Bytes and the `content-encoding` they are in. */
export interface Packed {
  readonly body: Uint8Array<ArrayBuffer>
  readonly encoding?: 'gzip'
}

// Level 1 costs a quarter of the default level for 12 % more bytes (measured on LLM spans).
const LEVEL = 1

/** Compresses as decided. Bytes that cannot be compressed travel as they are: a larger request beats a lost one. */
export async function compress(body: Uint8Array<ArrayBuffer>, how: Compression): Promise<Packed> {
  try {
    if (how === 'zlib') return { body: await gzip(body), encoding: 'gzip' }
    if (how === 'stream') return { body: await gzipStream(body), encoding: 'gzip' }
  } catch {
    // Falls through to the plain body.
  }
  return { body }
}

function gzip(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const zlib = builtin('node:zlib')
  if (!zlib) return Promise.reject(new Error('no zlib'))
  return new Promise((resolve, reject) => {
    zlib.gzip(body, { level: LEVEL }, (error, packed) => (error ? reject(error) : resolve(packed)))
  })
}

async function gzipStream(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  // By way of globalThis: bundlers for edge runtimes warn of the bare name, wherever it stands.
  const { CompressionStream: Gzip } = globalThis
  const stream = new Blob([body]).stream().pipeThrough(new Gzip('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

import type { Bytes } from '../../bytes.ts'

/**
 * The format of a spool file: a header, then records. All numbers are little-endian. A record has a marker and two
 * checksums, of its head and of its body, so that a reader can skip torn or overwritten records.
 */
const MAGIC = 'svcspool'
const VERSION = 1
const MARKER = 0x01_63_65_72
/** {@link MARKER} as bytes. */
const MARK = Uint8Array.of(0x72, 0x65, 0x63, 0x01)

export const HEADER_SIZE = 32
export const HEAD_SIZE = 40

/** The destination of the items, as hashes: a file contains no address and no key. */
export interface SpoolIdentity {
  /** Hash of the URL, 8 bytes. */
  readonly url: Uint8Array
  /** Hash of the public key, 8 bytes. */
  readonly key: Uint8Array
}

/** `batch`: one request. `done`: the request of this number was sent or dropped. */
const KINDS = ['batch', 'done'] as const

/** The head of a record. */
export interface SpoolRecord {
  readonly kind: (typeof KINDS)[number]
  /** Number of the batch, within its file. */
  readonly id: number
  readonly isCompressed: boolean
  readonly items: number
  readonly rawSize: number
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
}

/** A record that was found in a file. */
export interface FoundRecord extends SpoolRecord {
  readonly body: Bytes
  readonly isIntact: boolean
}

export type Crc32 = (bytes: Uint8Array) => number

export function headerOf({ url, key }: SpoolIdentity): Bytes {
  const header = new Uint8Array(HEADER_SIZE)
  header.set(new TextEncoder().encode(MAGIC))
  header[8] = VERSION
  header.set(url, 12)
  header.set(key, 20)
  return header
}

/** Whether a file has this version of the format, and this identity. */
export function isHeaderOf(identity: SpoolIdentity, file: Uint8Array): boolean {
  return headerOf(identity).every((byte, at) => byte === file[at])
}

export function headOf(record: SpoolRecord, body: Uint8Array, crc32: Crc32): Bytes {
  const head = new Uint8Array(HEAD_SIZE)
  const view = new DataView(head.buffer)
  view.setUint32(0, MARKER, true)
  view.setUint8(8, KINDS.indexOf(record.kind))
  view.setUint8(9, record.isCompressed ? 1 : 0)
  view.setUint32(12, body.length, true)
  view.setUint32(16, crc32(body), true)
  view.setUint32(20, record.items, true)
  view.setUint32(24, record.rawSize, true)
  view.setUint32(28, record.id, true)
  view.setFloat64(32, record.at, true)
  view.setUint32(4, crc32(head.subarray(8)), true)
  return head
}

/**
 * Returns the records of a file. One with a torn head is skipped; one with a torn or changed body is not intact, but
 * its number of items is still known.
 */
export function* recordsIn(file: Bytes, crc32: Crc32): Generator<FoundRecord> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  let at = HEADER_SIZE
  while (at + HEAD_SIZE <= file.length) {
    const found = recordAt(file, at, crc32)
    if (found) yield found
    at = found ? at + HEAD_SIZE + found.body.length : bytes.indexOf(MARK, at + 1)
    if (at < 0) return
  }
}

function recordAt(file: Bytes, at: number, crc32: Crc32): FoundRecord | undefined {
  const view = new DataView(file.buffer, file.byteOffset + at, HEAD_SIZE)
  if (view.getUint32(0, true) !== MARKER) return undefined
  if (view.getUint32(4, true) !== crc32(file.subarray(at + 8, at + HEAD_SIZE))) return undefined
  const kind = KINDS[view.getUint8(8)]
  if (!kind) return undefined
  const start = at + HEAD_SIZE
  const length = view.getUint32(12, true)
  const body = file.subarray(start, start + length)
  return {
    kind,
    body,
    isIntact: body.length === length && crc32(body) === view.getUint32(16, true),
    isCompressed: view.getUint8(9) === 1,
    items: view.getUint32(20, true),
    rawSize: view.getUint32(24, true),
    id: view.getUint32(28, true),
    at: view.getFloat64(32, true),
  }
}

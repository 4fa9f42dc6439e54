import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  type FoundRecord,
  HEAD_SIZE,
  HEADER_SIZE,
  headerOf,
  headOf,
  isHeaderOf,
  recordsIn,
  type SpoolRecord,
} from './format.ts'

const IDENTITY = { url: new Uint8Array(8).fill(0xa1), key: new Uint8Array(8).fill(0xb2) }

const FIRST: SpoolRecord = { kind: 'batch', id: 7, isCompressed: true, items: 3, rawSize: 900, at: 1_700_000_000_000.5 }
const SECOND: SpoolRecord = { kind: 'batch', id: 8, isCompressed: false, items: 5, rawSize: 4, at: 1_700_000_000_001 }

const bytesOf = (text: string) => new TextEncoder().encode(text)

const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

const written = (record: SpoolRecord, body: Uint8Array) => joined(headOf(record, body, crc32), body)

const found = (file: Uint8Array<ArrayBuffer>) => [...recordsIn(file, crc32)]

/** What was found, with its body as text. */
const seen = (file: Uint8Array<ArrayBuffer>) =>
  found(file).map(({ body, ...record }) => ({ ...record, body: Buffer.from(body).toString() }))

/** Two records, and where each part of the file ends. */
const FILE = joined(headerOf(IDENTITY), written(FIRST, bytesOf('first')), written(SECOND, bytesOf('2nd!')))
const FIRST_BODY = HEADER_SIZE + HEAD_SIZE
const FIRST_END = FIRST_BODY + 5
const SECOND_BODY = FIRST_END + HEAD_SIZE

const first = { ...FIRST, body: 'first', isIntact: true }
const second = { ...SECOND, body: '2nd!', isIntact: true }

describe('the header of a spool file', () => {
  it('has a magic number, the format version, and the hashes of URL and key', () => {
    expect(Buffer.from(headerOf(IDENTITY)).toString('latin1')).toBe(
      `svcspool\x01\0\0\0${'\xa1'.repeat(8)}${'\xb2'.repeat(8)}\0\0\0\0`,
    )
  })

  it('identifies one version and one identity, whatever follows it', () => {
    expect(isHeaderOf(IDENTITY, headerOf(IDENTITY))).toBe(true)
    expect(isHeaderOf(IDENTITY, FILE)).toBe(true)
    expect(isHeaderOf({ ...IDENTITY, url: new Uint8Array(8) }, FILE)).toBe(false)
    expect(isHeaderOf({ ...IDENTITY, key: new Uint8Array(8) }, FILE)).toBe(false)
  })

  it('differs if any of its bytes differs', () => {
    for (let at = 0; at < HEADER_SIZE; at++) {
      const header = headerOf(IDENTITY)
      header[at] = (header[at] ?? 0) + 1
      expect([at, isHeaderOf(IDENTITY, header)]).toEqual([at, false])
    }
  })

  it('is invalid if its end is missing', () => {
    for (let size = 0; size < HEADER_SIZE; size++) {
      expect([size, isHeaderOf(IDENTITY, FILE.subarray(0, size))]).toEqual([size, false])
    }
  })
})

describe('a spool record', () => {
  it('is read as it was written', () => {
    expect(seen(FILE)).toEqual([first, second])
  })

  it('may have the largest numbers and an empty body', () => {
    const largest = { id: 2 ** 32 - 1, items: 2 ** 32 - 1, rawSize: 2 ** 32 - 1, at: Number.MAX_SAFE_INTEGER }
    const record: SpoolRecord = { kind: 'done', isCompressed: false, ...largest }
    expect(seen(joined(headerOf(IDENTITY), written(record, bytesOf(''))))).toEqual([
      { ...record, body: '', isIntact: true },
    ])
  })

  it('keeps bytes of all values', () => {
    const body = Uint8Array.from({ length: 1_024 }, (_, at) => at)
    const [record] = found(joined(headerOf(IDENTITY), written(FIRST, body)))
    expect(Buffer.compare(record?.body ?? new Uint8Array(), body)).toBe(0)
  })

  it('is found in a part of a larger buffer', () => {
    const buffer = joined(bytesOf('before'), FILE, bytesOf('after'))
    expect(seen(buffer.subarray(6, 6 + FILE.length))).toEqual([first, second])
  })

  it('is found after invalid bytes, however many there are', () => {
    for (let size = 0; size <= 2 * HEAD_SIZE; size++) {
      const hole = new Uint8Array(size).fill(0x72)
      expect(seen(joined(FILE.subarray(0, FIRST_END), hole, FILE.subarray(FIRST_END)))).toEqual([first, second])
    }
  })

  it('is not searched for in the body of another record', () => {
    const inner = written(SECOND, bytesOf('2nd!'))
    const outer = { ...FIRST, isIntact: true, body: Buffer.from(inner).toString() }
    expect(seen(joined(headerOf(IDENTITY), written(FIRST, inner)))).toEqual([outer])
  })

  it('of an unknown kind is skipped', () => {
    const unknown = headOf({ ...FIRST, kind: 'unknown' as 'done' }, bytesOf(''), crc32)
    expect(seen(joined(headerOf(IDENTITY), unknown, FILE.subarray(FIRST_END)))).toEqual([second])
  })
})

describe('a truncated spool file', () => {
  it('has all records before the cut, and the item count of a record whose body is cut', () => {
    for (let size = 0; size <= FILE.length; size++) {
      const file = FILE.slice(0, size)
      const torn = (record: typeof first, start: number) => ({
        ...record,
        body: record.body.slice(0, size - start),
        isIntact: size - start >= record.body.length,
      })
      const expected = [
        ...(size >= FIRST_BODY ? [torn(first, FIRST_BODY)] : []),
        ...(size >= SECOND_BODY ? [torn(second, SECOND_BODY)] : []),
      ]
      expect([size, seen(file)]).toEqual([size, expected])
    }
  })
})

describe('a spool file with a changed byte', () => {
  /** Every file that differs in one byte, in one of its bits or in all. */
  function* changed(): Generator<{ at: number; records: FoundRecord[] }> {
    for (let at = 0; at < FILE.length; at++) {
      for (const mask of [1, 2, 4, 8, 16, 32, 64, 128, 255]) {
        const file = FILE.slice()
        file[at] = (file[at] ?? 0) ^ mask
        yield { at, records: found(file) }
      }
    }
  }

  it('returns no changed record as intact', () => {
    const good = new Set([first, second].map((record) => JSON.stringify(record)))
    for (const { at, records } of changed()) {
      for (const { kind, id, isCompressed, items, rawSize, at: time, body, isIntact } of records) {
        if (!isIntact) continue
        const text = Buffer.from(body).toString()
        const record = { kind, id, isCompressed, items, rawSize, at: time, body: text, isIntact }
        expect([at, good.has(JSON.stringify(record))]).toEqual([at, true])
      }
    }
  })

  it('returns all other records, and the item count of the changed one unless its head is changed', () => {
    for (const { at, records } of changed()) {
      const figures = records.map(({ id, items, isIntact }) => [id, items, isIntact])
      const both = [
        [7, 3, !(at >= FIRST_BODY && at < FIRST_END)],
        [8, 5, at < SECOND_BODY],
      ]
      const isFirstHead = at >= HEADER_SIZE && at < FIRST_BODY
      const isSecondHead = at >= FIRST_END && at < SECOND_BODY
      expect([at, figures]).toEqual([at, isFirstHead ? both.slice(1) : isSecondHead ? both.slice(0, 1) : both])
    }
  })
})

describe('bytes that are not a spool file', () => {
  it('have no records and cause no error', () => {
    let seed = 1
    for (let round = 0; round < 50; round++) {
      const noise = Uint8Array.from({ length: 50 * round }, () => {
        seed = (seed * 48_271) % 2_147_483_647
        return seed
      })
      expect(seen(noise)).toEqual([])
    }
  })

  it('have no records if only the record marker is repeated', () => {
    const marker = headOf(FIRST, bytesOf(''), crc32).subarray(0, 4)
    expect(seen(joined(...Array.from({ length: 500 }, () => marker)))).toEqual([])
  })
})

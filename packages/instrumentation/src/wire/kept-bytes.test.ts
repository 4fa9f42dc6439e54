import { expect, it } from 'vitest'
import { KeptBytes } from './kept-bytes.ts'

const MIB = 2 ** 20

it('of a body without end its first 8 MiB and its last 64 KiB are kept', () => {
  const body = new KeptBytes()
  body.add(Buffer.alloc(8 * MIB, 'a'))
  expect(body.isCut).toBe(false)
  for (let at = 0; at < 1_000; at += 1) body.add(Buffer.alloc(1_024, at === 999 ? 'c' : 'b'))
  expect(body.isCut).toBe(true)
  const whole = body.whole()
  expect(whole.length).toBe(8 * MIB + 65_536)
  expect(whole.subarray(-1_024).every((byte) => byte === 0x63)).toBe(true)
  body.clear()
})

it('of all bodies together 64 MiB are kept, until they are let go', () => {
  const bodies = Array.from({ length: 9 }, () => new KeptBytes())
  for (const body of bodies) body.add(Buffer.alloc(8 * MIB))
  expect(bodies.map(({ isEmpty }) => isEmpty)).toEqual([...Array(8).fill(false), true])
  for (const body of bodies) body.clear()
  const next = new KeptBytes()
  next.add(Buffer.alloc(8 * MIB))
  expect(next.isEmpty).toBe(false)
  next.clear()
})

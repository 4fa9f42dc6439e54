import { describe, expect, it } from 'vitest'
import type { Segment } from './segment.ts'
import { SpoolEntry, SpoolFile } from './spool-file.ts'

const segment = { size: 32 }

/** A file that we write, with batches of so many items. */
function fileWith(...items: readonly number[]) {
  const file = new SpoolFile('/spool/1.open', segment as Segment)
  const entries = items.map((count) => new SpoolEntry(file, { id: file.newId(), items: count, at: 0 }, false))
  return { file, entries }
}

describe('a spool file', () => {
  it('is empty and has no items when created', () => {
    const { file } = fileWith()
    expect([file.isEmpty, file.items, file.waiting]).toEqual([true, 0, []])
  })

  it('has the size that it was found with, or that was written to it', () => {
    const { file } = fileWith()
    const found = new SpoolFile('/spool/1.open', undefined, 400)
    segment.size = 90
    expect([file.size, found.size]).toEqual([90, 400])
  })

  it('gives every batch its own number', () => {
    const { file, entries } = fileWith(1, 1)
    expect([...entries.map(({ id }) => id), file.newId()]).toEqual([0, 1, 2])
  })

  it('counts items that exist only on disk', () => {
    const { file, entries } = fileWith(3, 4)
    const [first] = entries
    expect([file.items, file.waiting]).toEqual([7, entries])
    if (first) first.isInMemory = true
    expect([file.items, file.waiting, file.isEmpty]).toEqual([4, entries.slice(1), false])
    if (first) first.isInMemory = false
    expect([file.items, file.waiting.length]).toEqual([7, 2])
  })

  it('does not count items that are also in memory', () => {
    const { file } = fileWith(3)
    const entry = new SpoolEntry(file, { id: file.newId(), items: 4, at: 0 }, true)
    expect([file.items, file.waiting.includes(entry), file.has(entry)]).toEqual([3, false, true])
    entry.isInMemory = true
    expect(file.items).toBe(3)
  })

  it('keeps batches until they are removed, once', () => {
    const { file, entries } = fileWith(3, 4)
    const [first, second] = entries as [SpoolEntry, SpoolEntry]
    expect([file.has(first), file.get(0) === first]).toEqual([true, true])
    expect([file.remove(first), file.remove(first)]).toEqual([true, false])
    expect([file.has(first), file.get(0), file.items]).toEqual([false, undefined, 4])
    second.isInMemory = true
    file.remove(second)
    expect([file.items, file.isEmpty]).toEqual([0, true])
  })

  it('does not restore a removed batch that left memory', () => {
    const { file, entries } = fileWith(3)
    const [entry] = entries as [SpoolEntry]
    entry.isInMemory = true
    file.remove(entry)
    entry.isInMemory = false
    expect([file.items, file.isEmpty, file.has(entry)]).toEqual([0, true, false])
  })

  it('distinguishes two batches with the same number', () => {
    const { file, entries } = fileWith(3)
    const other = new SpoolEntry(fileWith().file, { id: 0, items: 3, at: 0 }, false)
    expect([file.has(other), file.has(entries[0] as SpoolEntry)]).toEqual([false, true])
  })
})

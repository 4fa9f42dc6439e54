import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Journal } from './journal.ts'

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'svc-journal-'))
  folder = join(parent, 'state')
})
afterEach(() => rmSync(parent, { recursive: true }))

const progress = {
  ...{ rows: 9, before: 0, done: 0, leftOut: 0, refused: 0, madeIds: 0, times: 0, annotations: 0 },
  complete: false,
}
const about = ['source', 'dataset']

it('the import journal knows after a restart which items were imported', () => {
  const journal = new Journal(folder, about)
  expect(journal.progress).toBeUndefined()
  journal.turn({ ...progress, cursor: 'c' })
  journal.write('a\n"b"')
  const later = new Journal(folder, about)
  expect(later.progress).toEqual({ ...progress, cursor: 'c' })
  expect([later.isWritten('a\n"b"'), later.isWritten('c'), later.writtenOfPage]).toEqual([true, false, 1])
  later.turn({ ...progress, done: 5 })
  const last = new Journal(folder, about)
  expect([last.progress?.done, last.isWritten('a\n"b"')]).toEqual([5, false])
})

it('the import journal skips a truncated line', () => {
  const journal = new Journal(folder, about)
  journal.turn(progress)
  journal.write('a')
  const [file = ''] = readdirSync(folder)
  appendFileSync(join(folder, file), '"hal')
  const later = new Journal(folder, about)
  expect([later.isWritten('a'), later.writtenOfPage]).toEqual([true, 1])
  // What follows must not become a part of the torn line.
  later.write('b')
  expect(new Journal(folder, about).isWritten('b')).toBe(true)
})

it('the import journal follows no link that is in its place', () => {
  new Journal(folder, about).turn(progress)
  const file = join(folder, readdirSync(folder)[0] ?? '')
  const other = join(parent, 'other')
  writeFileSync(other, `${JSON.stringify({ ...progress, done: 7 })}`)
  rmSync(file)
  for (const name of [file, `${file}.new`]) symlinkSync(other, name)
  const journal = new Journal(folder, about)
  expect(journal.progress).toBeUndefined()
  journal.turn(progress)
  journal.write('a')
  expect(readFileSync(other, 'utf8')).toBe(JSON.stringify({ ...progress, done: 7 }))
  expect(new Journal(folder, about).isWritten('a')).toBe(true)
})

it('the import journal is separate for each import, and deleted when that is done', () => {
  const [one, other] = [new Journal(folder, about), new Journal(folder, ['source', 'other'])]
  one.turn(progress)
  other.turn(progress)
  one.end()
  expect(readdirSync(folder)).toHaveLength(1)
  expect(new Journal(folder, about).progress).toBeUndefined()
  other.end()
  expect(existsSync(folder)).toBe(false)
})

it('the import journal starts again with --restart', () => {
  new Journal(folder, about).turn(progress)
  expect(new Journal(folder, about, { restart: true }).progress).toBeUndefined()
})

it('the import journal does not write where a link leads', () => {
  const elsewhere = join(parent, 'elsewhere')
  mkdirSync(elsewhere)
  symlinkSync(elsewhere, folder)
  expect(() => new Journal(folder, about).turn(progress)).toThrow('it is a link')
  expect(readdirSync(elsewhere)).toEqual([])
})

it('the import journal reports a path that it cannot write', () => {
  writeFileSync(folder, 'a file')
  expect(() => new Journal(folder, about).turn(progress)).toThrow(
    `${folder} cannot be written, which is needed for the progress`,
  )
})

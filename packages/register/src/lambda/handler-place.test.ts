import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { placeOf } from './handler-place.ts'

const folder = mkdtempSync(join(tmpdir(), 'handler-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'real.mjs'), '')
symlinkSync(join(folder, 'real.mjs'), join(folder, 'index.mjs'))

it.each([
  ['index.handler', { name: 'handler', fields: [] }],
  ['./index.api.v1.handler', { name: 'api', fields: ['v1', 'handler'] }],
])('the file and the export of %s are found', (handler, expected) => {
  expect(placeOf(handler, [tmpdir(), folder])).toEqual({
    urls: new Set([pathToFileURL(join(folder, 'real.mjs')).href]),
    ...expected,
  })
})

it.each(['index', '', 'index.'])('%j is no handler', (handler) => {
  expect(placeOf(handler, [folder])).toBeUndefined()
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SvcOtelSpanAttributes } from './span-attributes.ts'

it('every attribute constant has a type of its name, and no other type exists', () => {
  const source = readFileSync(new URL('span-attributes.ts', import.meta.url), 'utf8')
  const types = [...source.matchAll(/^ {2}export type (\w+) = typeof ATTRIBUTE\.(\w+)$/gm)]
  expect(types.map(([, name]) => name)).toEqual(Object.keys(SvcOtelSpanAttributes))
  expect(types.filter(([, name, of]) => name !== of)).toEqual([])
})

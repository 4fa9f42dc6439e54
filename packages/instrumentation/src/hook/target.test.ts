import { expect, it } from 'vitest'
import { isWithin } from './target.ts'

const range = { from: '4.19.0', below: '8.0.0' }

it.each([
  ['4.18.9', false],
  ['4.19.0', true],
  ['7.55.0', true],
  ['7.9.10', true],
  ['8.0.0', false],
  ['8.0.0-beta.1', false],
  ['10.0.0', false],
  [undefined, true],
])('version %s is between 4.19 and 8: %s', (version, expected) => {
  expect(isWithin(range, version)).toBe(expected)
})

it('an invalid version is outside of every range', () => {
  expect(isWithin(range, 'workspace')).toBe(false)
})

import { expect, it } from 'vitest'
import { asOrdinaryCommonJs, hooksBreakCommonJs } from './commonjs.ts'

it.each([
  ['22.15.0', true],
  ['22.22.2', true],
  ['22.22.3', false],
  ['23.11.1', true],
  ['24.0.0', true],
  ['24.11.0', true],
  ['24.11.1', false],
  ['25.0.0', true],
  ['25.1.0', false],
  ['26.0.0', false],
])('Node %s needs the repair: %s', (version, expected) => {
  expect(hooksBreakCommonJs(version)).toBe(expected)
})

it('only CommonJS that nobody has changed is sent to the ordinary loader', () => {
  const source = Buffer.from('exports.a = 1')
  expect(asOrdinaryCommonJs({ format: 'commonjs', source })).toEqual({ format: 'commonjs-sync', source })
  const changed = { format: 'commonjs', source: 'exports.a = 2' }
  expect(asOrdinaryCommonJs(changed)).toBe(changed)
  const module = { format: 'module', source }
  expect(asOrdinaryCommonJs(module)).toBe(module)
})

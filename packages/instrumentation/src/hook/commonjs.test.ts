import type { LoadFnOutput } from 'node:module'
import { describe, expect, it } from 'vitest'
import { hooksBreakCommonJs, throughOrdinaryLoader } from './commonjs.ts'

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
])('Node %s needs the CommonJS workaround: %s', (version, expected) => {
  expect(hooksBreakCommonJs(version)).toBe(expected)
})

describe('the CommonJS workaround', () => {
  const context = { conditions: [], format: undefined, importAttributes: {} }
  const source = Buffer.from('exports.a = 1')
  const load = (loaded: LoadFnOutput) => throughOrdinaryLoader(() => loaded)('file:///a.js', context)

  it('passes unchanged CommonJS to the next loader, and nothing else', () => {
    expect(load({ format: 'commonjs', source })).toEqual({ format: 'commonjs-sync', source })
    const others = [
      { format: 'commonjs', source: 'exports.a = 2' },
      { format: 'module', source },
    ]
    expect(others.map(load)).toEqual(others)
  })

  it('reads the source of CommonJS from the file if the loader omits it', () => {
    const failing = throughOrdinaryLoader(() => {
      throw Object.assign(new TypeError('no source'), { code: 'ERR_INVALID_RETURN_PROPERTY_VALUE' })
    })
    const loaded = failing(import.meta.url, context)
    expect(loaded).toMatchObject({ format: 'commonjs-sync', shortCircuit: true })
    expect(String(loaded.source)).toContain('gets CommonJS whose source was left out')
    expect(() => failing('node:fs', context)).toThrow('no source')
  })

  it('passes other errors on', () => {
    const failing = throughOrdinaryLoader(() => {
      throw new Error('not found')
    })
    expect(() => failing('file:///a.js', context)).toThrow('not found')
  })
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { withTelemetryOn } from './edit.ts'

it('source that reads otherwise stays as it is', () => {
  const seven = readFileSync(createRequire(import.meta.url).resolve('ai'), 'utf8')
  expect(withTelemetryOn(seven)).toBe(seven)
  const half = 'function getTracer({ isEnabled = false, tracer } = {}) {}'
  expect(withTelemetryOn(half)).toBe(half)
})

it('no line moves', () => {
  const source = [
    'function getTracer({',
    '  isEnabled = false,',
    '  tracer',
    '} = {}) { return isEnabled }',
    'async function selectTelemetryAttributes({',
    '  telemetry,',
    '  attributes',
    '}) {',
    '  return telemetry',
    '}',
  ]
  const changed = withTelemetryOn(source.join('\n')).split('\n')
  expect(changed).toHaveLength(source.length)
  expect(changed.filter((line, index) => line !== source[index])).toEqual([
    expect.stringContaining('isEnabled = (globalThis'),
    expect.stringContaining('({ telemetry, attributes } = globalThis'),
  ])
})

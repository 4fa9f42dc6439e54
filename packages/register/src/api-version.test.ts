import { expect, it } from 'vitest'
import { takeVersion } from './api-version.ts'

it.each([
  ['the first copy decides', ['1.9.1'], '1.9.1'],
  ['also where it is newer', ['1.11.0'], '1.11.0'],
  ['a later one with an older minor version sees it as it is', ['1.10.0', '1.9.1'], '1.10.0'],
  ['a later patch is no reason', ['1.9.0', '1.9.1'], '1.9.0'],
  ['a later one with a newer minor version would see nothing', ['1.9.1', '1.10.0', '1.11.2'], '1.11.2'],
  ['another major version has a place of its own', ['2.0.0'], '1.10.0'],
  ['one without a version changes nothing', [undefined], '1.10.0'],
])('%s', (_, versions, expected) => {
  const api = { version: '1.10.0' }
  for (const version of versions) takeVersion(version, api)
  expect(api.version).toBe(expected)
})

it('an API global of another copy keeps its version', () => {
  const api = Object.freeze({ version: '1.9.1' })
  takeVersion('1.10.0', api)
  expect(api.version).toBe('1.9.1')
  expect(() => takeVersion('1.10.0', undefined)).not.toThrow()
})

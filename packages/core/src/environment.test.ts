import { afterEach, describe, expect, it, vi } from 'vitest'
import { environmentOf, hostEnvironment } from './environment.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

describe('the environment of the program', () => {
  it('is process.env', () => {
    vi.stubEnv('SVC_TEST_NAME', 'from process')
    expect(hostEnvironment('SVC_TEST_NAME')).toBe('from process')
  })

  it('is a global of that name where process has none, or an empty one', () => {
    vi.stubGlobal('SVC_TEST_NAME', 'from global')
    expect(hostEnvironment('SVC_TEST_NAME')).toBe('from global')
    vi.stubEnv('SVC_TEST_NAME', '')
    expect(hostEnvironment('SVC_TEST_NAME')).toBe('from global')
    vi.stubEnv('SVC_TEST_NAME', 'from process')
    expect(hostEnvironment('SVC_TEST_NAME')).toBe('from process')
  })

  it.each([[''], [7], [null], [{}]])('a global that is %j counts as unset', (value) => {
    vi.stubGlobal('SVC_TEST_NAME', value)
    expect(hostEnvironment('SVC_TEST_NAME')).toBeUndefined()
  })
})

it('an environment of a plain object counts empty texts as unset', () => {
  const env = environmentOf({ A: 'a', B: '', C: undefined })
  expect([env('A'), env('B'), env('C'), env('D')]).toEqual(['a', undefined, undefined, undefined])
})

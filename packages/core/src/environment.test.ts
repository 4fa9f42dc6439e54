import { afterEach, describe, expect, it, vi } from 'vitest'
import { defaultVariable, environmentOf, hostEnvironment, isDefault, removeDefault } from './environment.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

describe('the environment of the program', () => {
  it('is read from process.env', () => {
    vi.stubEnv('SVC_TEST_NAME', 'from process')
    expect(hostEnvironment('SVC_TEST_NAME')).toBe('from process')
  })

  it('is read from a global variable if process.env is missing or empty', () => {
    vi.stubGlobal('SVC_TEST_NAME', 'from global')
    expect(hostEnvironment('SVC_TEST_NAME')).toBe('from global')
    vi.stubEnv('SVC_TEST_NAME', '')
    expect(hostEnvironment('SVC_TEST_NAME')).toBe('from global')
    vi.stubEnv('SVC_TEST_NAME', 'from process')
    expect(hostEnvironment('SVC_TEST_NAME')).toBe('from process')
  })

  it.each([[''], [7], [null], [{}]])('treats a global of %j as unset', (value) => {
    vi.stubGlobal('SVC_TEST_NAME', value)
    expect(hostEnvironment('SVC_TEST_NAME')).toBeUndefined()
  })
})

it('a variable of ours is set where there is none, and known as ours', () => {
  const name = 'SVC_TEST_NAME'
  vi.stubEnv(name, undefined)
  defaultVariable(name, 'false')
  expect([process.env[name], isDefault(name)]).toEqual(['falsE', true])
  removeDefault(name)
  expect(process.env[name]).toBeUndefined()
  for (const value of ['false', 'False', 'FALSE']) {
    vi.stubEnv(name, value)
    defaultVariable(name, 'true')
    removeDefault(name)
    expect([process.env[name], isDefault(name)]).toEqual([value, false])
  }
})

it('treats empty strings of a plain object as unset', () => {
  const env = environmentOf({ A: 'a', B: '', C: undefined })
  expect([env('A'), env('B'), env('C'), env('D')]).toEqual(['a', undefined, undefined, undefined])
})

import { describe, expect, it } from 'vitest'
import { checked, SvcOptionsError } from './options.ts'

const problems = (options: unknown): readonly string[] => {
  try {
    checked(options)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(SvcOptionsError)
    return (error as SvcOptionsError).problems
  }
}

describe('the options of the module', () => {
  it('may be omitted or undefined', () => {
    expect(checked(undefined)).toEqual({})
    expect(problems({ user: undefined, environment: undefined, shutdownTimeoutMs: null })).toEqual([])
  })

  it('may have a shutdown timeout of 0', () => {
    expect(problems({ shutdownTimeoutMs: 0 })).toEqual([])
  })

  it('include those of the span processor, which checks their values', () => {
    expect(problems({ environment: 'Not OK!', publicKey: 7, exportMode: 'x', allowedScopes: ['a'] })).toEqual([])
  })

  it.each([
    [{ wer: () => 'ada' }, 'svc: "wer" is not an option of SvcModule: known are '],
    [{ us: () => 'ada' }, 'svc: "us" is not an option of SvcModule: known are '],
    [{ skopez: ['a'] }, 'svc: "skopez" is not an option of SvcModule: did you mean scopes?'],
    [{ skopezz: ['a'] }, 'svc: "skopezz" is not an option of SvcModule: known are '],
    [{ usr: () => 'ada' }, 'svc: "usr" is not an option of SvcModule: did you mean user?'],
    [{ sesison: () => 's' }, 'svc: "sesison" is not an option of SvcModule: did you mean session?'],
    [{ captureImputt: true }, 'svc: "captureImputt" is not an option of SvcModule: did you mean captureInput?'],
    [{ exclude: ['/health', 1] }, 'svc: option exclude of SvcModule is an array with 1: expected an array of routes'],
    [{ userId: () => 'ada' }, 'svc: "userId" is not an option of SvcModule: did you mean user?'],
    [{ captureinput: true }, 'svc: "captureinput" is not an option of SvcModule: did you mean captureInput?'],
    [{ user: 'ada' }, 'svc: option user of SvcModule is "ada": expected a function (request, host) => user id.'],
    [{ captureInput: 'yes' }, 'svc: option captureInput of SvcModule is "yes": expected true or false.'],
    [{ exclude: '/health' }, 'svc: option exclude of SvcModule is "/health": expected an array of routes'],
    [{ shutdownTimeoutMs: -1 }, 'svc: option shutdownTimeoutMs of SvcModule is -1: expected a number of milliseconds'],
    [{ shutdownTimeoutMs: Number.NaN }, 'svc: option shutdownTimeoutMs of SvcModule is NaN'],
    [{ mask: {} }, 'svc: option mask of SvcModule is of type object: expected a function'],
    ['options', 'svc: the options of SvcModule are "options": expected an object.'],
    [[], 'svc: the options of SvcModule are an array: expected an object.'],
  ])('are rejected with a message for %j', (options, problem) => {
    expect(problems(options)).toEqual([expect.stringContaining(problem)])
  })

  it('are rejected with one line for each mistake', () => {
    const wrong = { user: 1, sesion: 2, captureOutput: 3 }
    expect(problems(wrong)).toHaveLength(3)
    expect(() => checked(wrong)).toThrow(/^svc: option user .*\nsvc: "sesion" .*\nsvc: option captureOutput .*$/)
  })
})

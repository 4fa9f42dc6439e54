import { describe, expect, it } from 'vitest'
import { environmentOf } from './environment.ts'
import * as readers from './readers.ts'
import { readSettings, type Setting } from './setting.ts'

const seconds: Setting<number> = {
  env: ['SVC_FIRST', 'SVC_SECOND'],
  read: readers.positive,
  expected: 'a number above 0',
  default: 5,
}

function read(row: Setting<unknown>, option: unknown, variables: Record<string, string> = {}) {
  const lines: string[] = []
  const { value } = readSettings({ value: row }, { value: option }, environmentOf(variables), (line) =>
    lines.push(line),
  )
  return { value, lines }
}

describe('the value of a setting', () => {
  it.each<[option: unknown, variables: Record<string, string>, value: number]>([
    [undefined, {}, 5],
    [7, {}, 7],
    [7, { SVC_FIRST: '1', SVC_SECOND: '2' }, 7],
    [undefined, { SVC_FIRST: '1', SVC_SECOND: '2' }, 1],
    [undefined, { SVC_SECOND: '2' }, 2],
    [undefined, { SVC_FIRST: '', SVC_SECOND: '2' }, 2],
    [null, { SVC_FIRST: '1' }, 1],
  ])('of option %j and environment %j is %d', (option, variables, value) => {
    expect(read(seconds, option, variables)).toEqual({ value, lines: [] })
  })
})

describe('an invalid setting', () => {
  it.each<[option: unknown, variables: Record<string, string>, value: number, lines: string[]]>([
    [undefined, { SVC_FIRST: 'soon' }, 5, ['SVC_FIRST="soon" is ignored: expected a number above 0.']],
    [undefined, { SVC_FIRST: 'soon', SVC_SECOND: '2' }, 2, ['SVC_FIRST="soon" is ignored: expected a number above 0.']],
    ['soon', { SVC_FIRST: '1' }, 1, ['option value = "soon" is ignored: expected a number above 0.']],
    [-1, {}, 5, ['option value = -1 is ignored: expected a number above 0.']],
    [{}, {}, 5, ['option value = a value of type object is ignored: expected a number above 0.']],
    [[1], {}, 5, ['option value = an array is ignored: expected a number above 0.']],
  ])('of option %j and environment %j is named and treated as unset', (option, variables, value, lines) => {
    expect(read(seconds, option, variables)).toEqual({ value, lines })
  })

  it('that is long is truncated in the warning', () => {
    const [line] = read(seconds, undefined, { SVC_FIRST: 'x'.repeat(10_000) }).lines
    expect(line?.length).toBeLessThan(150)
  })

  it('that is secret is not printed', () => {
    const secret = { ...seconds, secret: true }
    expect(read(secret, undefined, { SVC_FIRST: 'sk-hidden' }).lines).toEqual([
      'SVC_FIRST=(hidden) is ignored: expected a number above 0.',
    ])
  })

  it('with a user and password in a URL is printed without them', () => {
    const url = { ...seconds, read: readers.httpUrl, default: 'd' }
    expect(read(url, undefined, { SVC_FIRST: 'http://me:secret@host/x' }).lines[0]).toContain(
      '"http://(hidden)@host/x"',
    )
  })

  it('falls back to a harmless value if the default is not', () => {
    const careful: Setting<unknown> = {
      ...seconds,
      whenInvalid: { value: undefined, done: 'is not usable, so nothing is sent' },
    }
    expect(read(careful, undefined, {}).value).toBe(5)
    expect(read(careful, undefined, { SVC_FIRST: 'soon' })).toEqual({
      value: undefined,
      lines: ['SVC_FIRST="soon" is not usable, so nothing is sent: expected a number above 0.'],
    })
    expect(read(careful, undefined, { SVC_FIRST: 'soon', SVC_SECOND: '2' }).value).toBe(2)
  })

  it('that throws when it is read causes no exception', () => {
    const headers = { ...seconds, read: readers.headers, default: {} }
    const option = {
      get name(): string {
        throw new Error('no')
      },
    }
    expect(read(headers, option)).toEqual({
      value: {},
      lines: ['option value = a value of type object is ignored: expected a number above 0.'],
    })
  })
})

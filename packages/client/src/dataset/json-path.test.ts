import { describe, expect, it } from 'vitest'
import { withValueAt } from './json-path.ts'

describe('a value at a path', () => {
  it('replaces the whole value, a key or an index', () => {
    expect(withValueAt('old', '$', 'new')).toBe('new')
    expect(withValueAt({ a: [1, { b: 2 }], c: 3 }, "$['a'][1]['b']", 'new')).toEqual({ a: [1, { b: 'new' }], c: 3 })
  })

  it.each(['b c', "it's", 'a\\b', '[0]', '', "']", "a']['b", '0', "'"])('is found under the key %j', (key) => {
    expect(withValueAt({ [key]: [1], other: 2 }, `$['${key}'][0]`, 'new')).toEqual({ [key]: ['new'], other: 2 })
  })

  it('is found if two keys match and only one of them has the rest of the path', () => {
    const value = { a: { c: 1 }, "a']['b": { d: 1 } }
    expect(withValueAt(value, "$['a']['b']['d']", 'new')).toEqual({ ...value, "a']['b": { d: 'new' } })
    expect(withValueAt({ a: { b: 1 }, "a']['b": {} }, "$['a']['b']", 'new')).toMatchObject({ a: { b: 'new' } })
  })

  it('is replaced in a copy', () => {
    const value = { a: [{ b: 1 }] }
    withValueAt(value, "$['a'][0]['b']", 'new')
    expect(value).toEqual({ a: [{ b: 1 }] })
  })

  it.each<[unknown, string]>([
    [{ a: 1 }, '$[0]'],
    [[1], '$[1]'],
    [[1], "$['0']"],
    [{ a: 1 }, "$['b']"],
    ['text', "$['length']"],
    [null, "$['a']"],
    [{}, "$['__proto__']['polluted']"],
    [{}, "$['constructor']"],
  ])('is not found: %j at %s', (value, path) => {
    expect(() => withValueAt(value, path, 'new')).toThrow('does not exist')
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
  })

  it.each(['', 'a', '$.a', "['a']", '$[a]', '$["a"]', "$['a'", "$['a']b", '$[-1]', '$[1.5]'])(
    'is not found at an invalid path: %j',
    (path) => {
      expect(() => withValueAt({ a: 1 }, path, 'new')).toThrow('does not exist')
    },
  )
})

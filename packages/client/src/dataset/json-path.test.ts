import { describe, expect, it } from 'vitest'
import { parseJsonPath, withValueAt } from './json-path.ts'

describe('a path', () => {
  it.each([
    ['$', []],
    ["$['a']", ['a']],
    ["$['a'][0]['b c']", ['a', 0, 'b c']],
    ["$['it\\'s']['a\\\\b']", ["it's", 'a\\b']],
    ["$['[0]']", ['[0]']],
  ])('%s is read', (path, steps) => {
    expect(parseJsonPath(path)).toEqual(steps)
  })

  it.each(['', 'a', '$.a', "['a']", '$[a]', '$["a"]', "$['a'", "$['a']b", '$[-1]', '$[1.5]'])('%j is none', (path) => {
    expect(parseJsonPath(path)).toBe(undefined)
  })
})

describe('a value at a path', () => {
  it('replaces the whole, a key, an index', () => {
    expect(withValueAt('old', '$', 'new')).toBe('new')
    expect(withValueAt({ a: [1, { b: 2 }], c: 3 }, "$['a'][1]['b']", 'new')).toEqual({ a: [1, { b: 'new' }], c: 3 })
  })

  it('leaves the value it was given as it was', () => {
    const value = { a: [{ b: 1 }] }
    withValueAt(value, "$['a'][0]['b']", 'new')
    expect(value).toEqual({ a: [{ b: 1 }] })
  })

  it.each([
    [{ a: 1 }, '$[0]'],
    [[1], '$[1]'],
    [[1], "$['0']"],
    [{ a: 1 }, "$['b']"],
    ['text', "$['length']"],
    [null, "$['a']"],
    [{}, "$['__proto__']['polluted']"],
    [{}, "$['constructor']"],
  ])('%j has nothing at %s', (value, path) => {
    expect(() => withValueAt(value, path, 'new')).toThrow('does not lead anywhere')
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
  })
})

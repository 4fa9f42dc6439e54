import mustache from 'mustache'
import { describe, expect, it } from 'vitest'
import { render } from './template.ts'

describe('rendering a prompt', () => {
  it.each([
    ['a variable', 'Hello {{name}}!', { name: 'Ada' }, 'Hello Ada!'],
    ['space around a name', 'Hello {{ name }}!', { name: 'Ada' }, 'Hello Ada!'],
    ['nothing is escaped', '{{a}} {{{a}}} {{&a}}', { a: '<b> & "c"' }, '<b> & "c" <b> & "c" <b> & "c"'],
    ['an unknown variable is empty', '[{{nobody}}]', {}, '[]'],
    ['a name of the prototype is unknown', '[{{constructor}}{{toString}}]', {}, '[]'],
    ['null is empty', '[{{a}}]', { a: null }, '[]'],
    ['numbers and booleans', '{{a}} {{b}}', { a: 0, b: false }, '0 false'],
    ['an object becomes JSON', '{{a}}', { a: { b: [1] } }, '{"b":[1]}'],
    ['an object that is not escaped', '{{{a}}} {{&a}}', { a: { b: 1 } }, '{"b":1} {"b":1}'],
    ['a list of objects', '{{a}}', { a: [{ b: 1 }, { b: 2 }] }, '[{"b":1},{"b":2}]'],
    ['a list of strings', '{{a}}', { a: ['x', 'y'] }, '["x","y"]'],
    ['a map', '{{a}}', { a: new Map([['b', 1]]) }, '{"b":1}'],
    ['a date', '{{a}}', { a: new Date(0) }, '"1970-01-01T00:00:00.000Z"'],
    ['a bigint', '{{a}}', { a: 10n ** 20n }, '"100000000000000000000"'],
    ['a path', '{{user.name}}', { user: { name: 'Ada' } }, 'Ada'],
    ['a section', '{{#items}}- {{.}}\n{{/items}}', { items: ['x', 'y'] }, '- x\n- y\n'],
    ['an inverted section', '{{^items}}none{{/items}}', { items: [] }, 'none'],
    ['braces of JSON', '{"a": {"b": "{{c}}"}}', { c: 'd' }, '{"a": {"b": "d"}}'],
  ])('%s', (_, template, variables, text) => {
    expect(render(template, variables)).toBe(text)
  })

  it('inserted values are not rendered as templates', () => {
    expect(render('{{a}}', { a: '{{b}}', b: 'no' })).toBe('{{b}}')
  })

  it('names a value that cannot be written as JSON', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    expect(() => render('{{a}}', { a: cyclic })).toThrow('"a" cannot be written as JSON')
  })

  it('works without variables', () => {
    expect(render('a{{b}}', undefined)).toBe('a')
    expect(render('a{{b}}', null)).toBe('a')
  })

  it('throws for an incomplete template', () => {
    expect(() => render('Hello {{name', {})).toThrow('Unclosed tag')
  })

  it("does not change the escaping and the cache of the application's mustache", () => {
    render('{{a}} once', { a: '<' })
    expect(mustache.render('{{a}}', { a: '<' })).toBe('&lt;')
  })
})

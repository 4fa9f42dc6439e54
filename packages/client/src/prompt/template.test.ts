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
    ['a path', '{{user.name}}', { user: { name: 'Ada' } }, 'Ada'],
    ['a section', '{{#items}}- {{.}}\n{{/items}}', { items: ['x', 'y'] }, '- x\n- y\n'],
    ['an inverted section', '{{^items}}none{{/items}}', { items: [] }, 'none'],
    ['braces of JSON', '{"a": {"b": "{{c}}"}}', { c: 'd' }, '{"a": {"b": "d"}}'],
  ])('%s', (_, template, variables, text) => {
    expect(render(template, variables)).toBe(text)
  })

  it('what was put in is not a template', () => {
    expect(render('{{a}}', { a: '{{b}}', b: 'no' })).toBe('{{b}}')
  })

  it('no variables at all are no variables', () => {
    expect(render('a{{b}}', undefined)).toBe('a')
    expect(render('a{{b}}', null)).toBe('a')
  })

  it('a template that is not whole throws', () => {
    expect(() => render('Hello {{name', {})).toThrow('Unclosed tag')
  })

  it('the mustache of the application keeps its escaping and its memory', () => {
    render('{{a}} once', { a: '<' })
    expect(mustache.render('{{a}}', { a: '<' })).toBe('&lt;')
  })
})

import { expect, it } from 'vitest'
import { toLangchain } from './langchain.ts'

it.each([
  ['a variable', 'Hello {{name}}', 'Hello {name}'],
  ['a variable with space', '{{ name }}', '{name}'],
  ['a variable that is not escaped', '{{{name}}} {{&name}}', '{name} {name}'],
  ['JSON', '{"a": 1}', '{{"a": 1}}'],
  ['JSON with single quotes', "{'a': 1}", "{{'a': 1}}"],
  ['JSON over lines', '{\n  "a": 1\n}', '{{\n  "a": 1\n}}'],
  ['an empty object', 'Answer {} or [{ }].', 'Answer {{}} or [{{ }}].'],
  ['an empty object in JSON', '{"a": {}, "b": {"c": {}}}', '{{"a": {{}}, "b": {{"c": {{}}}}}}'],
  ['JSON in JSON', '{"a": {"b": 1}}', '{{"a": {{"b": 1}}}}'],
  ['a variable in JSON', '{"user": "{{name}}"}', '{{"user": "{name}"}}'],
  ['a variable that ends JSON', '{"user": {{name}}}', '{{"user": {name}}}'],
  ['single braces that are no JSON', 'a {b} c', 'a {b} c'],
  ['what is doubled already', '{{"a": 1}}', '{{"a": 1}}'],
  ['braces that nothing closes', '{"a', '{{"a'],
  ['braces that nothing opened', '} }}', '} }}'],
  [
    'names as LangChain takes them',
    '{{user-name}} {{größe}} {{a.b}} {{first name }}',
    '{user-name} {größe} {a.b} {first name}',
  ],
  ['a comment', 'a {{! why }}b', 'a b'],
  ['an object of JavaScript that is doubled already', '{{a: 1}}', '{{a: 1}}'],
  ['nothing', '', ''],
])('%s', (_, template, expected) => {
  expect(toLangchain(template)).toBe(expected)
})

it.each(['{{#items}}{{.}}{{/items}}', '{{^items}}none{{/items}}', '{{> header}}', '{{=<% %>=}}'])(
  'a template that LangChain cannot have is an error: %s',
  (template) => {
    expect(() => toLangchain(template)).toThrow(/^LangChain has nothing like \{\{/)
  },
)

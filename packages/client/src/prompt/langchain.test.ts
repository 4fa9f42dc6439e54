import { expect, it } from 'vitest'
import { toLangchain } from './langchain.ts'

it.each([
  ['a variable', 'Hello {{name}}', 'Hello {name}'],
  ['a variable with space', '{{ name }}', '{name}'],
  ['a variable that is not escaped', '{{{name}}} {{&name}}', '{name} {name}'],
  ['JSON', '{"a": 1}', '{{"a": 1}}'],
  ['JSON with single quotes', "{'a': 1}", "{{'a': 1}}"],
  ['JSON over lines', '{\n  "a": 1\n}', '{{\n  "a": 1\n}}'],
  ['JSON in JSON', '{"a": {"b": 1}}', '{{"a": {{"b": 1}}}}'],
  ['a variable in JSON', '{"user": "{{name}}"}', '{{"user": "{name}"}}'],
  ['a variable that ends JSON', '{"user": {{name}}}', '{{"user": {name}}}'],
  ['single braces that are no JSON', 'a {b} c', 'a {b} c'],
  ['what is doubled already', '{{"a": 1}}', '{{"a": 1}}'],
  ['braces that nothing closes', '{"a', '{{"a'],
  ['braces that nothing opened', '} }}', '} }}'],
  ['a path, which LangChain has not', '{{user.name}}', '{{user.name}}'],
  ['nothing', '', ''],
])('%s', (_, template, expected) => {
  expect(toLangchain(template)).toBe(expected)
})

import { describe, expect, it } from 'vitest'
import { typeOf } from './types.ts'
import { needsOf } from './variables.ts'

const text = (prompt: string) => ({ type: 'text', prompt, config: {} }) as const

describe('the type of the variables that compile() needs', () => {
  it.each([
    ['nothing', 'Hello {name}', 'Record<string, never>'],
    ['a variable, however often', '{{a}} {{ a }} {{{a}}} {{&a}}', '{ "a": PromptValue }'],
    ['no comment, no partial', '{{! a }}{{> b }}', 'Record<string, never>'],
    [
      'what is below a name',
      '{{user.name}} {{user.mail.home}}',
      '{ "user": { "name": PromptValue; "mail": { "home": PromptValue } } }',
    ],
    ['a name that is used itself, too', '{{user.name}} {{user}}', '{ "user": PromptValue }'],
    [
      'no section, and nothing in one',
      '{{#items}}{{name}} {{.}}{{/items}}{{^none}}{{x.y}}{{/none}}',
      '{ "items"?: unknown; "name"?: unknown; "none"?: unknown; "x"?: unknown }',
    ],
    [
      'a name in a section that also stands outside',
      '{{#items}}{{name}}{{/items}} {{name}}',
      '{ "items"?: unknown; "name": PromptValue }',
    ],
    ['a name after other braces', '{{=<% %>=}}<% a %> {{b}}', '{ "a": PromptValue }'],
    [
      'a name that is no identifier',
      '{{two words}} {{"}} {{__proto__}}',
      '{ "two words": PromptValue; "\\"": PromptValue; "__proto__": PromptValue }',
    ],
    ['anything, where the template is not whole', '{{a}} {{b', 'PromptVariables'],
  ])('%s', (_, template, variables) => {
    expect(typeOf(text(template))).toBe(`{ type: 'text'; variables: ${variables} }`)
  })

  it('of a chat has all variables, and messages for each placeholder', () => {
    const prompt = [
      { role: 'system', content: '{{city}}' },
      { type: 'placeholder', name: 'history' },
      { role: 'user', content: '{{question}} in {{city}}' },
      { type: 'placeholder', name: 'history' },
    ] as const
    expect(typeOf({ type: 'chat', prompt, config: {} })).toBe(
      '{ type: \'chat\'; variables: { "city": PromptValue; "question": PromptValue }; placeholders: { "history": readonly object[] } }',
    )
    expect(typeOf({ type: 'chat', prompt: [], config: {} })).toBe(
      "{ type: 'chat'; variables: Record<string, never>; placeholders: Record<string, never> }",
    )
  })
})

it.each([
  ['Judge {{movie', 6, 'Unclosed tag'],
  ['{{a}} {{#b}} {{c}}', 6, 'Unclosed section "b"'],
  ['{{a}} {{^b}} {{c}}', 6, 'Unclosed section "b"'],
  ['{{a}} {{/b}} {{c}}', 6, 'Unopened section "b"'],
  ['{{#a}} {{/b}}', 0, 'Unclosed section "a"'],
])('%s is not a template, with an error at character %i', (template, index, reason) => {
  const [error] = needsOf(text(template)).errors
  expect(error).toEqual({ message: 0, index, reason: `the template cannot be compiled: ${reason}` })
})

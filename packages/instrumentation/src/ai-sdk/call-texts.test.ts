import { expect, it } from 'vitest'
import { CallTexts } from './call-texts.ts'

const text = (value: string) => ({ type: 'text', text: value })

it('a message whose parts are changed in place is recorded as it is at each request', () => {
  const texts = new CallTexts()
  const content = [text('first')]
  const messages = [{ role: 'user', content }]
  expect(texts.input({ messages })).toContain('first')
  content.push(text('second'))
  expect(texts.input({ messages })).toContain('second')
  content[0] = text('third')
  expect(texts.input({ messages })).toMatch(/third.*second/)
  expect(texts.input({ messages })).not.toContain('first')
})

it('a schema of a tool that has no JSON form is replaced where it has none, and the request is recorded', () => {
  const cyclic: Record<string, unknown> = { type: 'object' }
  cyclic.properties = { self: cyclic }
  const tools = [
    { name: 'cyclic', inputSchema: cyclic },
    { name: 'big', inputSchema: { type: 'integer', maximum: 10n } },
  ]
  const input = JSON.parse(new CallTexts().input({ messages: [{ role: 'user', content: 'hello' }], tools }) ?? '')
  expect(input).toMatchObject({
    messages: [{ role: 'user', content: 'hello' }],
    tools: [
      { function: { name: 'cyclic', parameters: { properties: { self: '<failed to serialize>' } } } },
      { function: { name: 'big', parameters: { maximum: 10 } } },
    ],
  })
})

it('reasoning that the vendor leaves in the text is told from the answer', () => {
  expect(JSON.parse(new CallTexts().output({ text: '<think>Hm.</think>\n\nYes.' }))).toEqual([
    { role: 'assistant', thinking: [{ type: 'thinking', content: 'Hm.' }], content: 'Yes.' },
  ])
})

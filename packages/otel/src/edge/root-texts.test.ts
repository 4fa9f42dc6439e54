import { expect, it } from 'vitest'
import * as messages from '../root-io/messages.ts'
import { rootTexts } from './root-texts.ts'

const CONTENTS = [
  '',
  'a text',
  '{"role":"user"',
  '[]',
  '[{"role":"user","content":"first"},{"role":"assistant","content":"A"},{"role":"user","content":"last \\"word\\""}]',
  '{"messages":[{"role":"user","content":"asked"},{"role":"user","content":[{"type":"tool_result","content":"x"}]}]}',
  '[{"role":"user","parts":[{"type":"text","content":"in a part"}]}]',
  '[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"look","arguments":"{\\"id\\":1}"}}]}]',
  '{"choices":[{"message":{"role":"assistant","content":"chosen"}}]}',
  '{"city":"Oslo"}',
]

it.each(CONTENTS)('a root on the edge shows what it shows on a server: %s', (content) => {
  expect(rootTexts.questionIn(content)).toBe(messages.questionIn(content))
  expect(rootTexts.answerIn(content)).toBe(messages.answerIn(content))
})

it('a root on the edge shows no question of a text that is too long to be read', () => {
  const long = `[{"role":"user","content":"${'x'.repeat(1_000_000)}"}]`
  expect([rootTexts.questionIn(long), rootTexts.answerIn(long)]).toEqual([undefined, long])
})

import { expect, it } from 'vitest'
import { entry, span } from '../../../test/support/span.ts'
import { Store } from '../../store/store.ts'
import { previewOf } from './preview.ts'

const message = (role: string, content: unknown) => ({ role, content })
const long = 'word '.repeat(20_000)

it.each<[string, input: unknown, output: unknown, question: string | null, answer: string | null]>([
  ['texts', 'Who\n was  Ada?', 'A mathematician.', 'Who was Ada?', 'A mathematician.'],
  [
    'messages',
    [message('system', 'Be brief.'), message('user', 'First'), message('assistant', 'Yes'), message('user', 'Last')],
    message('assistant', 'Done.'),
    'Last',
    'Done.',
  ],
  ['parts', [message('user', [{ type: 'text', text: 'See' }])], [message('assistant', 'A dot')], 'See', 'A dot'],
  ['one field', { question: 'Why?' }, { answer: ['Because', 'so'] }, 'Why?', 'Because so'],
  ['an object', { city: 'Rome', days: 2 }, 7, '{"city":"Rome","days":2}', '7'],
  ['numbers', '9007199254740993', '{"price":1.10,"count":1}', '9007199254740993', '{"price":1.10,"count":1}'],
  ['nothing', undefined, undefined, null, null],
  ['long texts', long, [message('assistant', long)], long.slice(0, 160).trim(), expect.stringMatching(/^\[\{"role"/)],
])('a trace of %s is told by its question and its answer', (_, input, output, question, answer) => {
  const store = new Store()
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const attributes = {
    ...(input === undefined ? {} : { 'svc.observation.input': text(input) }),
    ...(output === undefined ? {} : { 'svc.observation.output': text(output) }),
  }
  const received = span({ attributes })
  store.save([entry(received)], 1)
  expect(previewOf(received.traceId, store)).toEqual({ question, answer })
  store.close()
})

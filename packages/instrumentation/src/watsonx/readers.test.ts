import { expect, it } from 'vitest'
import type { Fields } from '../gen-ai/read.ts'
import { chat, text } from './readers.ts'

const failed = { errors: [{ code: 'downstream_request_failed', message: 'It broke.' }], trace: 't', status_code: 500 }

it.each([
  ['chat', chat, { model_id: 'm', choices: [{ index: 0, delta: { content: 'Hal' } }] }],
  [
    'text',
    text,
    { model_id: 'm', results: [{ generated_text: 'Hal', generated_token_count: 1, stop_reason: 'not_finished' }] },
  ],
])('a stream of a %s that reports an error has failed, with what was said before', (_, reader, event: Fields) => {
  const stream = reader.createAccumulator()
  stream.add(event)
  stream.add(failed)
  expect(stream.response).toMatchObject({
    model: 'm',
    messages: [{ parts: [{ type: 'text', content: 'Hal' }] }],
    failure: { type: 'downstream_request_failed', message: 'It broke.' },
  })
})

import { expect, it } from 'vitest'
import { completions } from '../openai/completions.ts'
import { responses } from '../openai/responses.ts'
import { findFailure, withFailure } from './failure.ts'

it.each([
  ['an object', { error: { code: 503, message: 'busy' } }, { type: '503', message: 'busy' }],
  ['an object without a code', { error: { type: 'overloaded', code: null, message: 'busy' } }, 'overloaded'],
  ['a text, as of LM Studio', { error: 'busy' }, 'failed'],
  ['a text with its type, as of TGI', { error: 'busy', error_type: 'overloaded' }, 'overloaded'],
  ['the body, as of vLLM', { object: 'error', message: 'busy', type: 'BadRequestError', code: 400 }, '400'],
  ['a status, as of MiniMax', { choices: null, base_resp: { status_code: 1002, status_msg: 'busy' } }, '1002'],
  ['an event', { type: 'error', message: 'busy' }, 'error'],
])('an error is found as %s', (_, body, type) => {
  expect(findFailure(body)).toEqual(typeof type === 'string' ? { type, message: 'busy' } : type)
})

it.each([
  {},
  { base_resp: { status_code: 0, status_msg: '' } },
  { error: null },
  { error: '' },
  { type: 'error' },
  { error: undefined, object: 'list' },
])('no error is in %o', (body) => expect(findFailure(body)).toBeUndefined())

it('an answer has no failure beside it that only its own reader knows how to tell', () => {
  const error = { message: 'busy' }
  const messages = [{ role: 'assistant', parts: [{ type: 'text', content: 'Hi' }] }]
  expect(withFailure({ messages }, { error }).failure).toBeUndefined()
  expect(withFailure({}, { error, choices: [] }).failure).toBeUndefined()
  expect(withFailure({}, { error }).failure?.message).toBe('busy')
})

it('a completion and an event of a response have the error that their server reports', () => {
  const stream = completions.createAccumulator()
  stream.add({ choices: [{ index: 0, text: 'Hal' }] })
  stream.add({ choices: [], error: { message: 'gone', code: 502 } })
  expect(stream.response).toMatchObject({ messages: [{ parts: [{ content: 'Hal' }] }], failure: { type: '502' } })
  const events = responses.createAccumulator()
  events.add({ type: 'error', error: { type: 'invalid_request_error', code: 'too_long', message: 'too long' } })
  expect(events.response.failure).toEqual({ type: 'too_long', message: 'too long' })
})

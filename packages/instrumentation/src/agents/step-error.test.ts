import { afterEach, expect, it } from 'vitest'
import { configure } from '../gen-ai/configure.ts'
import { readErrorMessage, readErrorType } from './step-error.ts'

afterEach(() => configure({}))

const failed = (error: unknown) => ({ message: 'Error in agent run', data: { error } })

it.each([
  [failed('RateLimitError: 429 slow down'), 'Error in agent run: RateLimitError: 429 slow down'],
  [
    failed('Error: Incorrect API key provided: sk-proj-0123456789.'),
    'Error in agent run: Error: Incorrect API key provided: (hidden).',
  ],
  // Without details, as the library says it.
  [failed('Error'), 'Error in agent run'],
  [failed({ code: 1 }), 'Error in agent run'],
  [{ message: 'Max turns exceeded', data: { max_turns: 3 } }, 'Max turns exceeded'],
  [{}, 'failed'],
  [undefined, 'failed'],
])('the error %j is recorded as %s', (error, message) => {
  expect(readErrorMessage(error)).toBe(message)
})

it('without content the details of an error are not recorded', () => {
  configure({ captureContent: false })
  expect(readErrorMessage(failed('ModelBehaviorError: cannot read "the answer"'))).toBe('Error in agent run')
})

it.each([
  [failed('RateLimitError: 429 slow down'), 'RateLimitError'],
  [failed('Error: no such city'), 'Error'],
  // Without details, as the library says it.
  [failed('Error'), '_OTHER'],
  [failed('it is late: go home'), '_OTHER'],
  [{ message: 'Max turns exceeded', data: { max_turns: 3 } }, '_OTHER'],
  [undefined, '_OTHER'],
])('the error type of %j is %s', (error, type) => {
  expect(readErrorType(error)).toBe(type)
})

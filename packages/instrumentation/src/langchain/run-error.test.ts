import { expect, it } from 'vitest'
import { classifyError, describeRunError } from './run-error.ts'

const named = (name: string, message = 'no') => Object.assign(new Error(message), { name })

it.each([
  ['an aborted signal', named('AbortError'), 'cancelled'],
  ['an aborted model', named('ModelAbortError'), 'cancelled'],
  ['an aborted signal, reported by LangChain', new Error('Aborted'), 'cancelled'],
  ['an aborted signal, reported by earlier versions', new Error('AbortError'), 'cancelled'],
  ['an aborted signal, reported by LangGraph', new Error('Abort'), 'cancelled'],
  ['a signal that was a timeout', named('TimeoutError'), 'failed'],
  ['an interrupt of a graph', Object.assign(named('GraphInterrupt'), { is_bubble_up: true }), 'control flow'],
  ['any other error', new TypeError('no'), 'failed'],
  ['a value that is not an Error', 'no', 'failed'],
  ['undefined', undefined, 'failed'],
])('a LangChain run that ends with %s (%o) is recorded as %s', (_, error, meaning) => {
  expect(classifyError(error)).toBe(meaning)
})

it('an error of class Error is recorded by its name', () => {
  expect(describeRunError(named('TimeoutError')).attributes['error.type']).toBe('TimeoutError')
  expect(describeRunError(new RangeError('no')).attributes['error.type']).toBe('RangeError')
})

it('additional error fields are omitted unless they are a refusal', () => {
  const error = Object.assign(new Error('401 no'), { error: { message: 'no', code: 'invalid_api_key' } })
  expect(describeRunError(error).message).toBe('401 no')
})

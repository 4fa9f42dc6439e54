import { notFound, redirect } from 'next/navigation.js'
import { expect, it } from 'vitest'
import { isAbort, isControlFlow } from './control-flow.ts'

const thrown = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

it.each([
  ['redirect()', thrown(() => redirect('/'))],
  ['notFound()', thrown(notFound)],
  ['a dynamic API in a static page', Object.assign(new Error(), { digest: 'DYNAMIC_SERVER_USAGE' })],
  ['a render that goes on in the browser', Object.assign(new Error(), { digest: 'BAILOUT_TO_CLIENT_SIDE_RENDERING' })],
  ['a postponed render', { $$typeof: Symbol.for('react.postpone') }],
])('%s is no error', (_, error) => {
  expect(isControlFlow(error)).toBe(true)
})

it.each([new Error('no'), Object.assign(new Error('seen by Next'), { digest: '2665676518' }), 'text', null, undefined])(
  '%o is one',
  (error) => {
    expect(isControlFlow(error)).toBe(false)
  },
)

it('a client that went away is told from an error', () => {
  expect(isAbort(thrown(() => AbortSignal.abort().throwIfAborted()))).toBe(true)
  expect([isAbort(new Error('AbortError')), isAbort(undefined)]).toEqual([false, false])
})

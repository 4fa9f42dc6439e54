import { notFound, redirect } from 'next/navigation.js'
import { describe, expect, it } from 'vitest'
import { isAbort, isControlFlow } from './control-flow.ts'
import { rethrow } from './platform/rethrow.ts'
import { rethrow as rethrowOnServer } from './platform/rethrow-server.ts'

const thrown = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

const steers = (throwAgain: (error: unknown) => void) => (error: unknown) =>
  thrown(() => {
    throwAgain(error)
    return 'no'
  }) === error

describe.each([
  ["Next's own means", steers(rethrowOnServer)],
  ['the means for everywhere else', steers(rethrow)],
  ['what is there', isControlFlow],
])('control-flow errors recognized by %s', (_, isSteering) => {
  it.each([
    ['redirect()', thrown(() => redirect('/'))],
    ['notFound()', thrown(notFound)],
    ['a dynamic API in a static page', Object.assign(new Error(), { digest: 'DYNAMIC_SERVER_USAGE' })],
    [
      'a render that goes on in the browser',
      Object.assign(new Error(), { digest: 'BAILOUT_TO_CLIENT_SIDE_RENDERING' }),
    ],
    ['a prerender that ended', Object.assign(new Error(), { digest: 'HANGING_PROMISE_REJECTION' })],
  ])('%s is not an error', (_, error) => {
    expect(isSteering(error)).toBe(true)
  })

  it.each([
    new Error('no'),
    Object.assign(new Error('seen by Next'), { digest: '2665676518' }),
    'text',
    null,
    undefined,
  ])('%o is an error', (error) => {
    expect(isSteering(error)).toBe(false)
  })
})

it('an aborted request is not an error', () => {
  expect(isAbort(thrown(() => AbortSignal.abort().throwIfAborted()))).toBe(true)
  expect([isAbort(new Error('AbortError')), isAbort(undefined)]).toEqual([false, false])
})

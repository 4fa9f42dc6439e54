import { expect, it, vi } from 'vitest'
import * as node from './open-calls.ts'
import {
  cancelEndWhenCollected,
  endOpenCalls,
  endWhenCollected,
  track,
  trackWeakly,
  untrack,
} from './open-calls-edge.ts'
import type { OpenCall } from './unread-calls.ts'

function call() {
  return { endWithout: vi.fn() } satisfies OpenCall as OpenCall
}

it('keeps no calls for the end of a process', () => {
  const open = call()
  track(open)
  expect(trackWeakly(open)).toBeUndefined()
  endOpenCalls()
  node.endOpenCalls()
  expect(open.endWithout).not.toHaveBeenCalled()
})

it.each([untrack, cancelEndWhenCollected])(
  'a call that is watched by the garbage collector is released by %o',
  (end) => {
    const open = call()
    endWhenCollected({}, open)
    const { handle } = open
    expect(handle?.call).toBe(open)
    end(open)
    expect(handle).toMatchObject({ call: undefined })
    expect(open.handle).toBeUndefined()
    end(open)
  },
)

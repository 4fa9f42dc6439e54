import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { branchesOf } from './branches.ts'
import type { OpenSpan } from './open-span.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] }))
afterEach(() => void vi.useRealTimers())

/** A result from which streams are taken, and the methods that are called on the span of its call. */
function setUp() {
  const received: unknown[] = []
  const call = {
    expect: (outcome: unknown) => received.push(['expect', outcome]),
    endAs: (outcome: unknown) => received.push(outcome),
    failed: (error: unknown) => received.push(error),
  }
  const branches = branchesOf({})
  branches.call = () => call as unknown as OpenSpan
  const take = () => {
    const reader = branches
      .branch(ReadableStream.from(['a', 'b']))
      .pipeThrough(new TransformStream())
      .getReader()
    return { read: () => reader.read(), leave: () => reader.cancel().then(nextTick) }
  }
  return { received, take, branches }
}

/** The end of a stream is reported in the next tick. */
const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve))

const EXPECTED = ['expect', 'stopped early']

it('an AI SDK call whose stream is not read further ends five seconds later', async () => {
  const { received, take } = setUp()
  await take().leave()
  vi.advanceTimersByTime(4_999)
  expect(received).toEqual([EXPECTED, EXPECTED])
  vi.advanceTimersByTime(1)
  expect(received.at(-1)).toBe('stopped early')
})

it('an AI SDK call whose stream is not read further does not keep the process alive', async () => {
  vi.useRealTimers()
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const { received, take } = setUp()
  const before = timers()
  await take().leave()
  expect(received).toEqual([EXPECTED])
  expect(timers()).toBe(before)
})

it('an AI SDK call stays open if the reader continues in time', async () => {
  const { received, take } = setUp()
  await take().leave()
  take()
  vi.runAllTimers()
  expect(received).toEqual([EXPECTED, ['expect', undefined]])
})

it('an AI SDK call does not end while another of its streams is read', async () => {
  const { received, take } = setUp()
  const [left, right] = [take(), take()]
  await left.leave()
  vi.runAllTimers()
  expect(received).toEqual([EXPECTED])
  await right.leave()
  vi.runAllTimers()
  expect(received.at(-1)).toBe('stopped early')
})

it('a call that starts after its stream was abandoned is expected to stop early', async () => {
  const { received, take, branches } = setUp()
  const { call } = branches
  branches.call = () => undefined
  await take().leave()
  branches.call = call
  vi.advanceTimersByTime(0)
  expect(received).toEqual([EXPECTED])
})

it('a stream that is read to its end does not end the call', async () => {
  const { received, branches } = setUp()
  for await (const _ of branches.branch(ReadableStream.from(['a'])).pipeThrough(new TransformStream()));
  await nextTick()
  expect(received).toEqual([])
})

it('a call whose stream fails has failed, after the SDK had a turn to report it', async () => {
  const { received, branches } = setUp()
  const down = new Error('no more')
  const failing = new ReadableStream({ start: (controller) => controller.error(down) })
  const failed = branches.branch(failing).pipeThrough(new TransformStream()).getReader()
  await expect(failed.read()).rejects.toBe(down)
  await nextTick()
  expect(received).toEqual([])
  vi.advanceTimersByTime(0)
  expect(received).toEqual([down])
})

it('the predicted outcome of a call is set as soon as a stream is abandoned', async () => {
  const { branches } = setUp()
  const read = branches.branch(ReadableStream.from(['a'])).pipeThrough(new TransformStream())
  expect(branches.outcome).toBeUndefined()
  await read.cancel()
  expect(branches.outcome).toBe('stopped early')
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { branchesOf } from './branches.ts'
import type { OpenSpan } from './open-span.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] }))
afterEach(() => void vi.useRealTimers())

/** A result of which streams are taken, and what its call is told. */
function taking() {
  const heard: unknown[] = []
  const call = {
    expect: (fate: unknown) => heard.push(['expect', fate]),
    endAs: (fate: unknown) => heard.push(fate),
    failed: (error: unknown) => heard.push(error),
  }
  const branches = branchesOf({})
  branches.call = () => call as unknown as OpenSpan
  const take = () => {
    const reader = branches
      .taken(ReadableStream.from(['a', 'b']))
      .pipeThrough(new TransformStream())
      .getReader()
    return { read: () => reader.read(), leave: () => reader.cancel().then(seen) }
  }
  return { heard, take, branches }
}

/** The end of a stream shows in the next tick. */
const seen = () => new Promise<void>((resolve) => process.nextTick(resolve))

const EXPECTED = ['expect', 'stopped early']

it('a call whose stream is left ends five seconds later', async () => {
  const { heard, take } = taking()
  await take().leave()
  vi.advanceTimersByTime(4_999)
  expect(heard).toEqual([EXPECTED, EXPECTED])
  vi.advanceTimersByTime(1)
  expect(heard.at(-1)).toBe('stopped early')
})

it('whoever comes back for the rest has not left', async () => {
  const { heard, take } = taking()
  await take().leave()
  take()
  vi.runAllTimers()
  expect(heard).toEqual([EXPECTED, ['expect', undefined]])
})

it('a call does not end while another of its streams is read', async () => {
  const { heard, take } = taking()
  const [left, right] = [take(), take()]
  await left.leave()
  vi.runAllTimers()
  expect(heard).toEqual([EXPECTED])
  await right.leave()
  vi.runAllTimers()
  expect(heard.at(-1)).toBe('stopped early')
})

it('a call that begins after its stream was left is told so', async () => {
  const { heard, take, branches } = taking()
  const { call } = branches
  branches.call = () => undefined
  await take().leave()
  branches.call = call
  vi.advanceTimersByTime(0)
  expect(heard).toEqual([EXPECTED])
})

it('a stream that is read to its end was not left', async () => {
  const { heard, branches } = taking()
  for await (const _ of branches.taken(ReadableStream.from(['a'])).pipeThrough(new TransformStream()));
  await seen()
  expect(heard).toEqual([])
})

it('a call whose stream fails has failed, once the SDK had its say', async () => {
  const { heard, branches } = taking()
  const down = new Error('no more')
  const failing = new ReadableStream({ start: (controller) => controller.error(down) })
  const failed = branches.taken(failing).pipeThrough(new TransformStream()).getReader()
  await expect(failed.read()).rejects.toBe(down)
  await seen()
  expect(heard).toEqual([])
  vi.advanceTimersByTime(0)
  expect(heard).toEqual([down])
})

it('that a stream is left is known at once to who asks', async () => {
  const { branches } = taking()
  const read = branches.taken(ReadableStream.from(['a'])).pipeThrough(new TransformStream())
  expect(branches.fate).toBeUndefined()
  await read.cancel()
  expect(branches.fate).toBe('stopped early')
})

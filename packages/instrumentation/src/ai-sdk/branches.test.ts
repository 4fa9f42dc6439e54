import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { branchesOf } from './branches.ts'
import type { OpenSpan } from './open-span.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A result of which streams are taken, and what its call is told. */
function taking() {
  const heard: unknown[] = []
  const call = { expect: (fate: unknown) => heard.push(['expect', fate]), endAs: (fate: unknown) => heard.push(fate) }
  const branches = branchesOf({})
  branches.call = () => call as unknown as OpenSpan
  const take = () => branches.taken(ReadableStream.from(['a', 'b'])).getReader()
  return { heard, take, branches }
}

const EXPECTED = ['expect', 'stopped early']

it('a call whose stream is left ends five seconds later', async () => {
  const { heard, take } = taking()
  await take().cancel()
  vi.advanceTimersByTime(4_999)
  expect(heard).toEqual([EXPECTED, EXPECTED])
  vi.advanceTimersByTime(1)
  expect(heard.at(-1)).toBe('stopped early')
})

it('whoever comes back for the rest has not left', async () => {
  const { heard, take } = taking()
  await take().cancel()
  take()
  vi.runAllTimers()
  expect(heard).toEqual([EXPECTED, ['expect', undefined]])
})

it('a call does not end while another of its streams is read', async () => {
  const { heard, take } = taking()
  const [left, right] = [take(), take()]
  await left.cancel()
  vi.runAllTimers()
  expect(heard).toEqual([EXPECTED])
  await right.cancel()
  vi.runAllTimers()
  expect(heard.at(-1)).toBe('stopped early')
})

it('a call that begins after its stream was left is told so', async () => {
  const { heard, take, branches } = taking()
  const { call } = branches
  branches.call = () => undefined
  await take().cancel()
  branches.call = call
  vi.advanceTimersByTime(0)
  expect(heard).toEqual([EXPECTED])
})

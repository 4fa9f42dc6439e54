import { context, ROOT_CONTEXT } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { afterEach, expect, it } from 'vitest'
import { configure } from '../gen-ai/configure.ts'
import { isRecorded, isVendorBound, runVendorBound, withVendorBound } from './current.ts'
import { isSuppressed, suppressCalls } from './suppress.ts'

afterEach(() => configure({}))

const suppressed = (context = ROOT_CONTEXT) =>
  ['chat', 'embeddings', 'execute_tool'].map((name) => isSuppressed(context, name))

it('calls recorded elsewhere are suppressed, for the given operations or all, and tools never are', () => {
  expect(suppressed()).toEqual([false, false, false])
  expect(suppressed(suppressCalls(ROOT_CONTEXT))).toEqual([true, true, false])
  expect(suppressed(suppressCalls(ROOT_CONTEXT, (operation) => operation === 'chat'))).toEqual([true, false, false])
})

it('a request is vendor-bound below a recorded call, or if marked so, unless context is propagated to vendors', () => {
  const below = [ROOT_CONTEXT, suppressCalls(ROOT_CONTEXT), withVendorBound(ROOT_CONTEXT)]
  expect(below.map(isRecorded)).toEqual([false, true, false])
  expect(below.map(isVendorBound)).toEqual([false, true, true])
  configure({ propagateToVendors: true })
  expect(below.map(isVendorBound)).toEqual([false, false, false])
})

it('work is vendor-bound until it returns, and its asynchronous continuation is not', async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const bound: boolean[] = []
  const look = () => bound.push(isVendorBound(context.active()))
  await runVendorBound(ROOT_CONTEXT, async () => {
    look()
    await undefined
    look()
  })
  expect(() =>
    runVendorBound(ROOT_CONTEXT, () => {
      throw new RangeError('no')
    }),
  ).toThrow('no')
  expect(bound).toEqual([true, false])
})

import { AsyncLocalStorage } from 'node:async_hooks'
import { type ContextManager, createContextKey, ROOT_CONTEXT } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { edgeContextManager } from './edge-context.ts'

const KEY = createContextKey('key')

it('a function bound to an edge context runs in it, with its own arguments and `this`', () => {
  const manager = edgeContextManager(AsyncLocalStorage) as ContextManager
  const counter = {
    count: 1,
    add: manager.bind(ROOT_CONTEXT.setValue(KEY, 'bound'), function (this: { count: number }, more: number) {
      return [this.count + more, manager.active().getValue(KEY)]
    }),
  }
  expect(counter.add(2)).toEqual([3, 'bound'])
  expect(manager.active()).toBe(ROOT_CONTEXT)
  expect(manager.bind(ROOT_CONTEXT, counter)).toBe(counter)
})

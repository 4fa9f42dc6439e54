import { EventEmitter } from 'node:events'
import { type Context, createContextKey, ROOT_CONTEXT } from '@opentelemetry/api'
import { FLAT_ROOT_CONTEXT, flatContext } from '@svc/core/flat-context'
import { describe, expect, it } from 'vitest'
import { FlatContextManager } from './flat-context-manager.ts'

const manager = new FlatContextManager().enable()
const KEY = createContextKey('key')

it('contexts created from the active context are flat', () => {
  const made = manager.active().setValue(KEY, 1)
  expect(flatContext(made)).toBe(made)
  expect(manager.with(made, () => manager.active())).toBe(made)
})

it('the flat context manager returns one empty context without values', () => {
  expect(manager.active()).toBe(FLAT_ROOT_CONTEXT)
  expect(manager.with(ROOT_CONTEXT, () => manager.active())).toBe(FLAT_ROOT_CONTEXT)
})

describe('bind()', () => {
  const context = ROOT_CONTEXT.setValue(KEY, 'bound')
  const value = () => manager.active().getValue(KEY)

  it('runs a function in its context, with this and arguments', () => {
    const bound = manager.bind(context, function (this: object, argument: number) {
      return [this, argument, value()]
    })
    const receiver = {}
    expect(bound.call(receiver, 1)).toEqual([receiver, 1, 'bound'])
    expect(value()).toBeUndefined()
  })

  it('runs later listeners of an emitter in its context, and releases removed ones', () => {
    const emitter = new EventEmitter()
    const seen: unknown[] = []
    const listener = () => void seen.push(value())
    emitter.on('event', listener)
    expect(manager.bind(context, emitter)).toBe(emitter)
    manager.bind(ROOT_CONTEXT.setValue(KEY, 'again'), emitter)
    emitter.on('event', listener)
    emitter.emit('event')
    expect(seen).toEqual([undefined, 'bound'])
    emitter.removeListener('event', listener)
    emitter.emit('event')
    expect(seen).toEqual([undefined, 'bound', undefined])
  })
})

it('an attached context is active until its token is disposed, once', () => {
  const [first, second] = [1, 2].map((value) => ROOT_CONTEXT.setValue(KEY, value)) as [Context, Context]
  const seen = manager.with(first, () => {
    const token = manager.attach(second)
    const attached = manager.active()
    token.dispose()
    const disposed = manager.active()
    manager.attach(second)
    token.dispose()
    return [attached, disposed, manager.active()]
  })
  expect(seen).toEqual([second, first, second])
})

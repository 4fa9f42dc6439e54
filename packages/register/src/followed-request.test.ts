import { EventEmitter } from 'node:events'
import { inspect } from 'node:util'
import { FLAT_ROOT_CONTEXT } from '@svc/core/flat-context'
import { REQUEST } from '@svc/core/muted-span'
import { describe, expect, it, vi } from 'vitest'
import { FlatContextManager } from './flat-context-manager.ts'
import { FollowedRequest } from './followed-request.ts'
import { RootRequest } from './http-root/http-request.ts'
import type { HttpRoots } from './http-root/http-roots.ts'

class Message extends EventEmitter {}

/** Records what it emits itself. */
class Recorded extends EventEmitter {
  readonly events: unknown[] = []

  override emit(...args: Parameters<EventEmitter['emit']>): boolean {
    this.events.push(args[0])
    return super.emit(...args)
  }
}

const manager = new FlatContextManager()
const requestOf = (emitter: EventEmitter, event: string) => {
  const seen: unknown[] = []
  emitter.on(event, () => seen.push(manager.active().getValue(REQUEST)))
  emitter.emit(event)
  return seen[0]
}
const follow = (response: EventEmitter, request: string, done = () => {}) => {
  const opened = { done, open: () => undefined }
  return new FollowedRequest(manager, FLAT_ROOT_CONTEXT.setValue(REQUEST, request), response, opened)
}

describe('a followed request', () => {
  it.each([Message, Recorded])('emits in its own context, each of %o', (Emitter) => {
    const [one, other, stranger] = [new Emitter(), new Emitter(), new Emitter()]
    follow(one, 'one')
    follow(other, 'other')
    expect([one, other, stranger].map((each) => requestOf(each, 'data'))).toEqual(['one', 'other', undefined])
  })

  it('leaves a method of its own to an object that overrides it', () => {
    const [recorded, stranger] = [new Recorded(), new Recorded()]
    follow(recorded, 'one')
    for (const each of [recorded, stranger]) each.emit('data')
    expect([recorded.events, stranger.events]).toEqual([['data'], ['data']])
  })

  it('emits by what somebody has put into the place of the emit of Node, also what nobody listens to', () => {
    const response = new Message()
    follow(response, 'one')
    const emit = vi.spyOn(EventEmitter.prototype, 'emit').mockReturnValue(true)
    expect(response.emit('data')).toBe(true)
    emit.mockRestore()
    expect(response.emit('data')).toBe(false)
  })

  it('is done when its response is closed, not when its request is', () => {
    const [message, response, done] = [new Message(), new Message(), vi.fn()]
    follow(response, 'one', done).follow(message)
    message.emit('close')
    expect(done).not.toHaveBeenCalled()
    response.emit('close')
    expect(done).toHaveBeenCalledOnce()
  })

  it('shows nothing of itself to what prints or copies a request', () => {
    const response = new Message()
    const opened = new RootRequest({} as HttpRoots, vi.fn(), FLAT_ROOT_CONTEXT, '1')
    new FollowedRequest(manager, FLAT_ROOT_CONTEXT, response, opened)
    expect(inspect(response)).toContain('FollowedRequest {}')
    expect(Object.keys(opened)).toEqual(['route', 'parent', 'traceId', 'startTime'])
  })

  it('is left alone where it is no emitter by its class', () => {
    const lookalike = { emit: () => true } as unknown as EventEmitter
    follow(lookalike, 'one')
    expect([{}, lookalike].flatMap(Reflect.ownKeys)).toEqual(['emit'])
    expect('emit' in {}).toBe(false)
  })
})

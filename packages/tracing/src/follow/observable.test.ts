import { trace } from '@opentelemetry/api'
import {
  BehaviorSubject,
  defer,
  firstValueFrom,
  interval,
  lastValueFrom,
  map,
  Observable,
  of,
  range,
  retry,
  Subject,
  switchMap,
  take,
  throwError,
  timer,
  toArray,
} from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { collectUntil } from '../../test/garbage.ts'
import { useTracing } from '../../test/support.ts'
import { observe, startActiveObservation, startObservation } from '../index.ts'

const { attributes, span, spans } = useTracing()
const output = () => attributes('work')['svc.observation.output']
const ended = () => spans().some(({ name }) => name === 'work')
const followed = <T>(observable: Observable<T>) => observe(() => observable, { name: 'work' })()

describe('an Observable', () => {
  it('stays the same object, and ends the observation when it completes', async () => {
    const numbers = of(1, 2, 3)
    const given = followed(numbers)
    expect([given === numbers, ended()]).toEqual([true, false])
    expect(
      await lastValueFrom(
        given.pipe(
          map((n) => n * 2),
          toArray(),
        ),
      ),
    ).toEqual([2, 4, 6])
    expect(output()).toBe('[1,2,3]')
    expect(Object.hasOwn(given, 'subscribe')).toBe(false)
  })

  it('of strings is recorded as one text', async () => {
    await lastValueFrom(followed(of('a', 'b')))
    expect(output()).toBe('ab')
  })

  it('runs inside the observation', async () => {
    const given = startActiveObservation('work', () =>
      defer(() => {
        startObservation('inside').end()
        return timer(1).pipe(switchMap(() => [trace.getActiveSpan()]))
      }),
    )
    expect(spans()).toEqual([])
    expect(await lastValueFrom(given)).toBeDefined()
    expect(span('inside').parentSpanContext?.spanId).toBe(span('work').spanContext().spanId)
  })

  it('that is unsubscribed ends the observation, and stops its source', async () => {
    const stopped = vi.fn()
    const endless = followed(
      new Observable<number>((subscriber) => {
        subscriber.next(1)
        return stopped
      }),
    )
    const subscription = endless.subscribe()
    expect(ended()).toBe(false)
    subscription.unsubscribe()
    expect([stopped.mock.calls.length, output()]).toEqual([1, '[1]'])
    expect(await firstValueFrom(observe(() => interval(1), { name: 'interval' })())).toBe(0)
    expect(span('interval')).toBeDefined()
  })

  it('that emits synchronously without end can be unsubscribed', () => {
    const seen: number[] = []
    followed(range(1, Number.POSITIVE_INFINITY))
      .pipe(take(2))
      .subscribe((n) => seen.push(n))
    expect([seen, output()]).toEqual([[1, 2], '[1,2]'])
  })

  it('that fails passes the error on', async () => {
    const error = new Error('boom')
    await expect(lastValueFrom(followed(throwError(() => error)))).rejects.toBe(error)
    expect(attributes('work')['svc.observation.status_message']).toBe('boom')
  })

  it('that is retried is followed only the first time', async () => {
    let attempts = 0
    const flaky = new Observable<string>((subscriber) => {
      attempts += 1
      if (attempts < 3) subscriber.error(new Error('flaky'))
      else subscriber.next('ok')
      subscriber.complete()
    })
    expect(await lastValueFrom(followed(flaky).pipe(retry(3)))).toBe('ok')
    expect(attempts).toBe(3)
    expect(spans().filter(({ name }) => name === 'work')).toHaveLength(1)
    expect(attributes('work')['svc.observation.status_message']).toBe('flaky')
  })

  it('that is a Subject keeps its next()', () => {
    const subject = new Subject<number>()
    const given = observe(() => subject, { name: 'work' })()
    const seen: number[] = []
    given.subscribe({ next: (n) => seen.push(n), complete: () => seen.push(-1) })
    given.next(1)
    given.complete()
    expect([given === subject, seen, output()]).toEqual([true, [1, -1], '[1]'])
    const state = observe(() => new BehaviorSubject('now'), { name: 'state' })()
    expect(state.value).toBe('now')
    state.pipe(take(1)).subscribe()
    expect(attributes('state')['svc.observation.output']).toBe('now')
  })

  it('that is never subscribed ends with the time it was returned', async () => {
    ;(() => void followed(of(1)))()
    await collectUntil(ended)
    expect(ended()).toBe(true)
  })
})

describe('a value that only looks like an Observable', () => {
  it('is treated as a plain value, such as a store or an emitter with subscribe', () => {
    const store = { subscribe: () => {}, '@@observable': () => of(1), state: 1 }
    expect(observe(() => store, { name: 'work' })()).toBe(store)
    expect(output()).toBe('{"state":1}')
  })
})

import { ROOT_CONTEXT } from '@opentelemetry/api'
import { of, Subject, throwError } from 'rxjs'
import { expect, it } from 'vitest'
import type { Scope } from '../scope/scope.ts'
import { type Work, within } from './within.ts'

/** Work that notes what it is told. */
function work(told: unknown[]): Work {
  return {
    scope: { workContext: ROOT_CONTEXT } as Scope,
    threw: (error) => told.push(error),
    completed: () => told.push('completed'),
    left: () => told.push('left'),
  }
}

it('tells that the subscriber unsubscribed, and unsubscribes the handler', () => {
  const told: unknown[] = []
  const values = new Subject()
  const subscription = within(work(told), { handle: () => values }).subscribe()

  subscription.unsubscribe()

  expect(told).toEqual(['left'])
  expect(values.observed).toBe(false)
})

it('tells what a handler throws, and passes it on', () => {
  const told: unknown[] = []
  const error = new Error('no tea')
  const received: unknown[] = []

  within(work(told), { handle: () => throwError(() => error) }).subscribe({ error: (each) => received.push(each) })

  expect(told).toEqual([error])
  expect(received).toEqual([error])
})

it('tells an end once', () => {
  const told: unknown[] = []
  within(work(told), { handle: () => of('tea') })
    .subscribe()
    .unsubscribe()
  expect(told).toEqual(['completed'])
})

it('passes on what the work makes of a value', () => {
  const received: unknown[] = []
  const upper = { ...work([]), emitted: (value: unknown) => String(value).toUpperCase() }
  within(upper, { handle: () => of('tea') }).subscribe((value) => received.push(value))
  expect(received).toEqual(['TEA'])
})

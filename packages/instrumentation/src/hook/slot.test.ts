import { afterEach, expect, it } from 'vitest'
import { defineLazySlot } from './slot.ts'

const NAME = 'svc.slot-of-a-test'
const slots = globalThis as unknown as Record<symbol, Record<string, unknown> | undefined>
const slot = () => slots[Symbol.for(NAME)]

afterEach(() => {
  delete slots[Symbol.for(NAME)]
})

it('a lazy global slot is filled when it is first read', () => {
  let loaded = 0
  defineLazySlot(NAME, () => ({ answer: ++loaded }))
  expect(loaded).toBe(0)
  expect([slot()?.answer, slot()?.answer, slot()?.nothing]).toEqual([1, 1, undefined])
})

it('a lazy global slot is undefined until it can be filled', () => {
  let busy = true
  defineLazySlot(NAME, () => {
    if (busy) throw new Error('this Node links other modules right now')
    return { answer: 7 }
  })
  expect(slot()?.answer).toBeUndefined()
  busy = false
  expect(slot()?.answer).toBe(7)
})

it('a lazy global slot that another copy has filled is kept', () => {
  defineLazySlot(NAME, () => ({ answer: 'first' }))
  defineLazySlot(NAME, () => ({ answer: 'second' }))
  expect(slot()?.answer).toBe('first')
})

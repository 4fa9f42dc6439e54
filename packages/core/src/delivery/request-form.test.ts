import { expect, it } from 'vitest'
import { RequestForm } from './request-form.ts'

it('a batch begins with 2 MB that compress to less than 1 MB, or 1 MB where nothing compresses', () => {
  expect(new RequestForm(true)).toMatchObject({ compressed: true, maxRawSize: 2_000_000, maxSize: 1_000_000 })
  expect(new RequestForm(false)).toMatchObject({ compressed: false, maxRawSize: 1_000_000, maxSize: 1_000_000 })
})

it('what was too large is halved for all batches to come', () => {
  const form = new RequestForm(true)
  form.tooLarge(1_500_001)
  expect(form.maxRawSize).toBe(750_000)
  form.tooLarge(700_000)
  expect(form.maxRawSize).toBe(350_000)
})

it('a larger batch that comes back later teaches nothing new', () => {
  const form = new RequestForm(true)
  form.tooLarge(100_000)
  form.tooLarge(2_000_000)
  expect(form.maxRawSize).toBe(50_000)
})

it('a small batch that is too large makes batches no smaller than headers and one span need', () => {
  const form = new RequestForm(true)
  form.tooLarge(100)
  expect(form.maxRawSize).toBe(16_384)
})

it('an endpoint that refuses compression gets plain requests no larger than 1 MB', () => {
  const form = new RequestForm(true)
  form.refusesCompression()
  expect(form).toMatchObject({ compressed: false, maxRawSize: 1_000_000 })
  form.tooLarge(400_000)
  form.refusesCompression()
  expect(form.maxRawSize).toBe(200_000)
})

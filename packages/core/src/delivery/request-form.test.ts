import { expect, it } from 'vitest'
import { RequestForm } from './request-form.ts'

it('the batch limit starts at 2 MB with compression, or 1 MB without', () => {
  expect(new RequestForm(true)).toMatchObject({ compressed: true, maxRawSize: 2_000_000, maxSize: 1_000_000 })
  expect(new RequestForm(false)).toMatchObject({ compressed: false, maxRawSize: 1_000_000, maxSize: 1_000_000 })
})

it('a batch that was too large halves the limit of later batches', () => {
  const form = new RequestForm(true)
  form.tooLarge(1_500_001)
  expect(form.maxRawSize).toBe(750_000)
  form.tooLarge(700_000)
  expect(form.maxRawSize).toBe(350_000)
})

it('a larger batch that is refused later does not change the limit again', () => {
  const form = new RequestForm(true)
  form.tooLarge(100_000)
  form.tooLarge(2_000_000)
  expect(form.maxRawSize).toBe(50_000)
})

it('the batch limit never falls below what headers and one span need', () => {
  const form = new RequestForm(true)
  form.tooLarge(100)
  expect(form.maxRawSize).toBe(16_384)
})

it('an endpoint that refuses compression receives plain requests of at most 1 MB', () => {
  const form = new RequestForm(true)
  form.refusesCompression()
  expect(form).toMatchObject({ compressed: false, maxRawSize: 1_000_000 })
  form.tooLarge(400_000)
  form.refusesCompression()
  expect(form.maxRawSize).toBe(200_000)
})

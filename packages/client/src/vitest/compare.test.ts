import { expect, it } from 'vitest'
import { type ScoreValues, worseThan } from './compare.ts'

const item = (itemId: string, scores: ScoreValues) => ({ itemId, scores })

it('a score that fell by more than the tolerance is worse, one that rose is not', () => {
  const before = [item('a', { right: 1, tone: 0.8 }), item('b', { right: 0 })]
  const now = [item('a', { right: 0.5, tone: 0.7 }), item('b', { right: 1 })]
  const tone = { itemId: 'a', score: 'tone', before: 0.8, now: 0.7 }
  const right = { itemId: 'a', score: 'right', before: 1, now: 0.5 }
  expect(worseThan(before, now, {}, 0)).toEqual([right, tone])
  expect(worseThan(before, now, {}, 0.1)).toEqual([right])
  expect(worseThan(before, now, {}, { right: 0.5 })).toEqual([tone])
  expect(worseThan(before, now, {}, { right: Number.POSITIVE_INFINITY, tone: 1 })).toEqual([])
})

it('of a score with only a maximum threshold, the larger value is worse', () => {
  const [before, now] = [[item('a', { cost: 1 })], [item('a', { cost: 2 })]]
  expect(worseThan(before, now, { cost: { max: 9 } }, 0)).toMatchObject([{ score: 'cost' }])
  expect(worseThan(now, before, { cost: { max: 9 } }, 0)).toEqual([])
  expect(worseThan(now, before, { cost: { max: 9, min: 0 } }, 0)).toMatchObject([{ score: 'cost' }])
})

it('scores and items that only one of both runs has are not compared', () => {
  expect(
    worseThan([item('a', { x: 1 }), item('b', { x: 1 })], [item('a', { y: 0 }), item('c', { x: 0 })], {}, 0),
  ).toEqual([])
})

it('items with the same id are compared by their means', () => {
  const before = [item('a', { x: 1 }), item('a', { x: 0 })]
  expect(worseThan(before, [item('a', { x: 0 }), item('a', { x: 1 })], {}, 0)).toEqual([])
  expect(worseThan(before, [item('a', { x: 0 })], {}, 0)).toMatchObject([{ before: 0.5, now: 0 }])
})

it('a score may have the name of what every object has', () => {
  const [before, now] = [[item('a', { constructor: 1 })], [item('a', { constructor: 0 })]]
  expect(worseThan(before, now, {}, {})).toMatchObject([{ score: 'constructor', before: 1, now: 0 }])
  expect(worseThan([item('a', {})], now, {}, 0)).toEqual([])
})

import { expect, it } from 'vitest'
import { withoutVectors } from './without-vectors.ts'

const vector = Array.from({ length: 384 }, (_, at) => at / 384)

it('a vector is recorded as its length, wherever it is', () => {
  expect(withoutVectors({ vector, filter: { year: 2024 }, topK: 3 })).toEqual({
    vector: '[vector of 384 numbers]',
    filter: { year: 2024 },
    topK: 3,
  })
  expect(withoutVectors([{ id: '1', score: 0.9, values: vector }])).toEqual([
    { id: '1', score: 0.9, values: '[vector of 384 numbers]' },
  ])
  expect(withoutVectors(new Float32Array(4))).toBe('[vector of 16 bytes]')
  expect([withoutVectors(vector.slice(0, 63)), withoutVectors(vector.slice(0, 64))]).toEqual([
    vector.slice(0, 63),
    '[vector of 64 numbers]',
  ])
})

it('distances, texts and deeply nested values are recorded unchanged', () => {
  const distances = [[0.1, 0.2]]
  expect(withoutVectors({ distances, text: 'a', none: null })).toEqual({ distances, text: 'a', none: null })
  const loop: Record<string, unknown> = {}
  loop.self = loop
  expect(() => withoutVectors(loop)).not.toThrow()
})

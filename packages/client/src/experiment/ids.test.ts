import { expect, it } from 'vitest'
import { experimentIdOf, randomExperimentId, sixteenHexOf } from './ids.ts'

it('an experiment over a dataset has the id of the test vector (contract 3.5)', async () => {
  const project = '7a88fb47-b4e2-43b8-a06c-a5ce950dc53a'
  expect(await experimentIdOf(project, 'cm9x1dataset0000000000001', 'my-run')).toBe('39b18b1d11ecd986')
})

it('the first bytes of a hash keep their leading zeros', async () => {
  // printf '' | sha256sum
  expect(await sixteenHexOf('')).toBe('e3b0c44298fc1c14')
})

it('a random id has the same form and is unique', () => {
  const ids = Array.from({ length: 100 }, randomExperimentId)
  expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(100)
})

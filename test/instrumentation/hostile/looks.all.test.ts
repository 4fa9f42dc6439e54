import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { plain } from '../harness/plain.ts'
import { type Hostile, startHostile } from './program.ts'

// Only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

let hostile: Hostile
beforeAll(async () => {
  hostile = await startHostile()
})
afterAll(() => hostile.close())

it('results, errors, stacks and stores are the same as without instrumentation', async () => {
  const [bare, seen] = await hostile.both('looks.mjs')
  expect(plain(JSON.parse(seen.stdout))).toEqual(plain(JSON.parse(bare.stdout)))
  expect(seen.stderr).toBe(bare.stderr)
  expect(Object.keys(JSON.parse(seen.stdout)).length).toBeGreaterThan(50)
})

it('the request is recorded as sent, not as changed later', () => {
  const changed = hostile.service.local.observations().filter(({ model }) => model === 'changed')
  expect(changed.map(({ input }) => JSON.stringify(input))).toEqual([expect.not.stringContaining('Later.')])
})

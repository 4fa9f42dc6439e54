import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Hostile, startHostile } from './program.ts'

let hostile: Hostile
beforeAll(async () => {
  hostile = await startHostile()
})
afterAll(() => hostile.close())

it('a stream that fails is an error with the output received so far, if the library reports one', async () => {
  const [bare, seen] = await hostile.both('breaking.mjs')
  expect(seen.stdout).toBe(bare.stdout)
  expect(seen.stderr).toBe(bare.stderr)
  const errors = Object.values<{ error: string | null }[]>(JSON.parse(seen.stdout)).flat()
  const recorded = hostile.service.local.observations()
  expect(recorded.map(({ level, statusMessage }) => [level, statusMessage])).toEqual(
    errors.map(({ error }) => (error === null ? ['DEFAULT', null] : ['ERROR', error])),
  )
  expect(errors.filter(({ error }) => error !== null).length).toBeGreaterThan(18)
  for (const { output } of recorded) expect(JSON.stringify(output)).toContain('There are three parts')
})

import { expect, it } from 'vitest'
import { startHostile } from './program.ts'

it('every copy of a library is instrumented: other versions, required again, imported under another name', async () => {
  const { both, service, close } = await startHostile()
  const [bare, seen] = await both('copies.cjs')
  expect([seen.code, seen.stdout, seen.stderr]).toEqual([bare.code, bare.stdout, bare.stderr])
  expect(seen.stdout).toMatch(/^9 /)
  expect(service.local.count()).toBe(9)
  await close()
})

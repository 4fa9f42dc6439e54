import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// Plain JavaScript, as a program written for v5 has it. The compile errors are in test/types/client.mts.
const app = fileURLToPath(new URL('./apps/removed.mjs', import.meta.url))

it('removed API members are undefined, and calling them is a TypeError', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [app])
  const { there, notThrowing, checked } = JSON.parse(stdout)
  expect(there).toEqual([])
  expect(notThrowing).toEqual([])
  expect(checked).toBeGreaterThan(40)
})

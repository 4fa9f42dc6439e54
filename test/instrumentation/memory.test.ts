import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runNode } from '../support/run.ts'

const path = (name: string) => fileURLToPath(new URL(`harness/${name}.mjs`, import.meta.url))

// `npm run bench -- instrumentation` makes 100,000 of them.
it('5,000 calls of all kinds leave nothing behind', async () => {
  const args = ['--import', path('only-calls'), '--expose-gc', path('many-calls'), '5000']
  const { stdout, stderr } = await runNode(args, { env: { SVC_LOG_LEVEL: 'NONE' } })
  expect(stderr).toBe('')
  const { grown, open } = JSON.parse(stdout)
  expect(open).toBe(0)
  // KiB, of which the library alone leaves some 500. Kept spans would be some 10,000, kept calls more.
  expect(grown).toBeLessThan(2_000)
})

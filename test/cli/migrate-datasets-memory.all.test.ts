import { expect, it } from 'vitest'
import { from, run, useImport } from './support/import-datasets.ts'

useImport()

it('importing many rows needs no more memory than a page', { timeout: 900_000 }, async () => {
  const text = 'x'.repeat(20_000)
  const length = 5_000
  await from({ d: { length, at: (at) => ({ id: `r${at}`, input: `${at} ${text}` }) } })
  // The rows are 100 MB. Pages, and what is on the way, take some 45: a collection may come late on a busy machine.
  const { code, stdout } = await run(['--dataset', 'd', '--concurrency', '16'], { node: ['--max-old-space-size=60'] })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^d: 5,000 rows, 5,000 items\./) })
})

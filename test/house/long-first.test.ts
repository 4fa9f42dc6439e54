import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { LONG, LongFirst } from '../support/long-first.ts'
import { root } from './repository.ts'

/** Vitest on a checkout where no test has run yet, as far as a sequencer looks at it. */
const fresh = { config: { root }, cache: { getTestSpecificationResult: () => undefined } } as unknown as Vitest
const project = { name: '', config: { isolate: true, sequence: { groupOrder: 0 } } }

it('what takes longest begins first, however small its file is', async () => {
  const paths = ['packages/core/src/attempt.test.ts', 'test/wire/tracing.test.ts', 'test/faults/faults.test.ts']
  const files = [...paths, 'test/next/next.test.ts'].map((path) => ({ moduleId: join(root, path), project }))
  const sorted = await new LongFirst(fresh).sort(files as unknown as TestSpecification[])
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual(files.map(({ moduleId }) => moduleId).reverse())
})

it('each place of long tests is there', () => {
  expect(LONG.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

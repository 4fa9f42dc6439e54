import { expect, it } from 'vitest'
import { exitThreadCode } from '../../scripts/exit-thread.mjs'
import { read } from './repository.ts'

it('the text of the thread that sends the last requests is made of its source', async () => {
  expect(read('packages/core/src/exit-thread-code.ts'), 'run: pnpm exit-thread').toBe(await exitThreadCode())
})

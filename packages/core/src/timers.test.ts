import { expect, it } from 'vitest'
import { within } from './timers.ts'

it('a timer beyond 2^31-1 ms does not fire at once', async () => {
  // Beyond 2^31 ms a timer of Node fires after one.
  const work = new Promise((resolve) => setTimeout(resolve, 10, 'done'))
  expect(await within(work, 2 ** 40)).toBe('done')
})

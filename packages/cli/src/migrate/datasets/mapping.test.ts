import { expect, it } from 'vitest'
import { mapped } from './mapping.ts'

const row = { id: 'r', prompt: 'p', created_at: 'now' }

it('a row without a custom mapping is mapped as documented', async () => {
  expect(await mapped({ id: 'r', input: 1, created_at: 'now' }, 'd', undefined)).toEqual({
    ...{ item: { id: 'r', input: 1 }, madeId: false },
    ...{ times: true, annotations: false },
  })
})

it('a custom mapping may be asynchronous, set an id, and skip rows', async () => {
  const only = { times: false, annotations: false }
  expect(await mapped(row, 'd', async ({ prompt }) => ({ input: prompt }))).toEqual({
    ...{ item: { id: 'r', input: 'p' }, madeId: false },
    ...only,
  })
  expect((await mapped({}, 'd', () => ({ id: 'mine' }))).item).toEqual({ id: 'mine' })
  expect(await mapped({}, 'd', () => undefined)).toEqual({ item: undefined, madeId: false, ...only })
})

it.each([
  [() => 'text', 'returns something other than an object for row "r".'],
  [
    () => ({ expected_output: 1 }),
    'returns the field "expected_output", where an item has id, input, expectedOutput, metadata,',
  ],
  [() => ({ id: 5 }), 'returns an id that is not a string for row "r".'],
  [() => ({ metadata: [] }), 'returns metadata that is not an object for row "r".'],
  [
    () => {
      throw new Error('no prompt')
    },
    'fails for row "r": no prompt',
  ],
])('a custom mapping is refused: %s', async (own, message) => {
  await expect(mapped(row, 'd', own as never)).rejects.toThrow(`the mapping of --map ${message}`)
})

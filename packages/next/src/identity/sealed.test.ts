import { expect, it, vi } from 'vitest'
import { unseal } from './sealed.ts'

vi.mock('./seal.ts', () => {
  throw new Error('Loading chunk 7 failed')
})

it('a header is as one that nobody has sealed where what reads seals cannot be loaded', async () => {
  expect(await unseal('text.signature')).toBeUndefined()
})

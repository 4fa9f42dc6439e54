import { expect, it, vi } from 'vitest'
import { uuid } from './uuid.ts'

it('an id is a UUID where crypto.randomUUID is missing, as on pages loaded over http', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  expect(uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  vi.unstubAllGlobals()
})

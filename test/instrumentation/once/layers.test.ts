import { it, vi } from 'vitest'
import { checkOnce, seen } from './once.ts'

// It loads many libraries, and only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

it('exactly one of several layers of a call records it', async () => {
  await checkOnce('layers', await seen('layers', 'import', ['@svc/register']))
})

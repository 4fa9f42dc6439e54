import { it, vi } from 'vitest'
import { checkOnce, seen } from './once.ts'

// It loads many libraries, and only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

it('exactly one of several layers of a call records it', async () => {
  const [ours, bare] = await Promise.all([seen('layers', 'import', ['@svc/register']), seen('layers', 'import', [])])
  await checkOnce('layers', ours, bare)
})

import { it } from 'vitest'
import { checkOnce, seen } from './once.ts'

it('exactly one of several layers of a call records it', async () => {
  await checkOnce('layers', await seen('layers', 'import', ['@svc/register']), await seen('layers', 'import', []))
})

import { SvcClient } from '@svc/client'
import type { ExitHandler } from '@svc/core/exit'
import { startLocal } from '@svc/local'
import { expect, it, vi } from 'vitest'

/** Who listens to the end of the process. */
const listening = vi.hoisted(() => new Set<ExitHandler>())

vi.mock('@svc/core/exit', async (original) => {
  const exit = await original<typeof import('@svc/core/exit')>()
  const onExit = (handler: ExitHandler) => {
    const registration = exit.onExit(handler)
    listening.add(handler)
    const remove = () => {
      listening.delete(handler)
      registration.remove()
    }
    return { ...registration, remove }
  }
  return { ...exit, onExit }
})

it('a client that was shut down removes its exit handler', async () => {
  const local = await startLocal()
  const client = new SvcClient({ publicKey: 'pk-svc-local', secretKey: 'sk-svc-local', baseUrl: local.url })
  client.score.create({ name: 'quality', value: 1, traceId: 'a'.repeat(32) })
  expect(listening.size).toBe(1)
  await client.shutdown()
  expect(listening.size).toBe(0)
  await local.close()
})

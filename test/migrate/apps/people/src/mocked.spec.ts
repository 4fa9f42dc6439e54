import { SvcClient } from '@svc/client'
import { expect, it, vi } from 'vitest'

it('asks for the prompt', async () => {
  const svc = new SvcClient()
  const get = vi.spyOn(svc, 'getPrompt')
  await svc.getPrompt('a').catch(() => undefined)
  expect(get).toHaveBeenCalledOnce()
  expect(svc.getPrompt).toHaveBeenCalledWith('a')
  vi.spyOn(svc.api.legacy.scoreV1, 'delete')
})

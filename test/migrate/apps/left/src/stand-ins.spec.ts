import { SvcClient } from '@svc/client'
import { vi } from 'vitest'

vi.mock('@svc/client', () => ({
  SvcClient: class {
    getPrompt = vi.fn()
  },
}))

export const svc = { getDataset: vi.fn() } as unknown as SvcClient

declare const app: { svc: any; get(name: string): any }
export const [a, b] = [app.svc.getPrompt('a'), app.get('svc').api.scoresV3.getManyV3()]
export const byName = new Map([['a', new SvcClient()]])
byName.get('a')?.getPrompt('a')

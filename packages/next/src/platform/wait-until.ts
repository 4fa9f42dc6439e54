import { attempt } from '@svc/core/attempt'

/** Has the host wait for `work`, which begins at once or when the response is out. */
export type KeepAwake = (work: () => Promise<void>) => void

interface HostContext {
  get?(): { waitUntil?(work: Promise<unknown>): void } | undefined
}

/** Makes the host of this request wait, where Next does not. */
export function hostKeepsAwake(): KeepAwake | undefined {
  const slots = globalThis as unknown as Record<symbol, HostContext | undefined>
  const host = slots[Symbol.for('@next/request-context')] ?? slots[Symbol.for('@vercel/request-context')]
  const context = attempt('ask the host for its request', () => host?.get?.())
  if (!context?.waitUntil) return undefined
  return (work) => {
    const done = work()
    attempt('keep a function awake', () => context.waitUntil?.(done))
  }
}

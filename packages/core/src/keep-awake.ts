import { attempt } from './attempt.ts'

/** Has the host wait for `work`, which begins at once or when the response is out. */
export type KeepAwake = (work: () => Promise<void>) => void

interface HostContext {
  waitUntil?(work: Promise<unknown>): void
}

interface Hosts {
  readonly [key: symbol]: { get?(): HostContext | undefined } | undefined
  readonly Netlify?: { readonly context?: HostContext | null }
}

const hosts = globalThis as unknown as Hosts
const NEXT = Symbol.for('@next/request-context')
const VERCEL = Symbol.for('@vercel/request-context')

/** Returns whether this is a host that can be told to wait, within a request. */
export function canKeepAwake(): boolean {
  return NEXT in hosts || VERCEL in hosts || 'Netlify' in hosts
}

/**
 * Has the host of this request wait for `work`, which begins at once: where the host offers it, as Vercel and Netlify do.
 *
 * @returns the way to do so again, wherever it is called; undefined where there is none
 */
export function keepAwake(work: () => Promise<void>): KeepAwake | undefined {
  const context = attempt(
    'ask the host for its request',
    () => (hosts[NEXT] ?? hosts[VERCEL])?.get?.() ?? hosts.Netlify?.context,
  )
  if (!context?.waitUntil) return undefined
  const keep: KeepAwake = (more) => {
    const done = more()
    attempt('keep a function awake', () => context.waitUntil?.(done))
  }
  keep(work)
  return keep
}

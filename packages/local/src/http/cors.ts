import { isLoopback } from './host.ts'

const METHODS = 'GET, POST, PATCH, PUT, DELETE'
const DAY = '86400'

/**
 * CORS headers of an API answer: any origin, no credentials (contract 5.1). The default keys are no secret, so with
 * them only pages of this machine may read: otherwise any web page could read the developer's traces.
 */
export function corsHeaders(origin: string | undefined, knownKeys: boolean): Readonly<Record<string, string>> {
  if (origin === undefined) return {}
  if (!knownKeys) return { 'access-control-allow-origin': '*' }
  return isLocalOrigin(origin) ? { 'access-control-allow-origin': origin, vary: 'Origin' } : {}
}

/** Grants what a preflight request asks for. The origin is granted, or not, by {@link corsHeaders}. */
export function preflightHeaders(requested: string | undefined): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': requested ?? 'authorization, content-type',
    'access-control-max-age': DAY,
  }
}

function isLocalOrigin(origin: string): boolean {
  try {
    const { hostname } = new URL(origin)
    return isLoopback(hostname.replace(/^\[|\]$/g, '')) || hostname.endsWith('.localhost')
  } catch {
    return false
  }
}

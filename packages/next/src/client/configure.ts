import * as SLOTS from '@svc/core/slots'

/** The service that receives scores of the page. */
export interface SvcClientConfig {
  /** Public API key of the project. Never the secret key: everyone can read it in the page. */
  readonly publicKey?: string | undefined
  /** Base URL of the service. */
  readonly baseUrl?: string | undefined
  /** Environment written on every score. */
  readonly environment?: string | undefined
}

// On globalThis: bundlers may make a copy of this module for each part of a page.
const SLOT = Symbol.for(SLOTS.NEXT_CLIENT)
const slots = globalThis as unknown as Record<symbol, SvcClientConfig | undefined>

/**
 * Says where scores of the page go, for `instrumentation-client.ts` or a layout: instead of what `withSvcConfig` took
 * from the environment of the build. What is undefined stays what it is.
 *
 * @example
 * configureSvcClient({ publicKey: 'pk-…', baseUrl: 'https://svc.example' })
 */
export function configureSvcClient(config: SvcClientConfig): void {
  const given = Object.entries(config).filter(([, value]) => value !== undefined && value !== '')
  slots[SLOT] = { ...slots[SLOT], ...Object.fromEntries(given) }
}

/** Returns the options given so far, over those that `withSvcConfig` took from the environment of the build. */
export function clientConfig(): SvcClientConfig {
  return { ...fromBuild(), ...slots[SLOT] }
}

/** The two expressions must stand here as they are: the compiler puts the values of the build in their place. */
function fromBuild(): SvcClientConfig {
  try {
    return { publicKey: process.env.NEXT_PUBLIC_SVC_PUBLIC_KEY, baseUrl: process.env.NEXT_PUBLIC_SVC_BASE_URL }
  } catch {
    // A page without Next's compiler has no process.
    return {}
  }
}

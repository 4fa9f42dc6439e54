import type { Runtime } from '@svc/core/runtime'

/** How a batch is squeezed: by zlib off the main thread, by the web's stream, or not at all. */
export type Compression = 'zlib' | 'stream' | 'none'

/**
 * Contract 1.3. `said` is what the option or the variables say (their order is in the settings table), undefined when
 * they say nothing: then Node.js and Bun compress and nothing else does.
 */
export function compressionFor(said: 'gzip' | 'none' | undefined, runtime: Runtime): Compression {
  if (said === 'none') return 'none'
  if (runtime.node) return 'zlib'
  return said === 'gzip' && runtime.compressionStream ? 'stream' : 'none'
}

import type { HostRuntime } from '@svc/core/runtime'

/** How a batch is compressed: by zlib in another thread, by CompressionStream, or not at all. */
export type Compression = 'zlib' | 'stream' | 'none'

/**
 * Contract 1.3.
 *
 * @param setting the option or variable (their order is in the settings table); undefined when none is set: then Node.js
 *   and Bun compress, and nothing else does
 */
export function compressionFor(setting: 'gzip' | 'none' | undefined, runtime: HostRuntime): Compression {
  if (setting === 'none') return 'none'
  if (runtime.node) return 'zlib'
  return setting === 'gzip' && runtime.compressionStream ? 'stream' : 'none'
}

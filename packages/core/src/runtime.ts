import { hasBuiltin } from './builtin.ts'
import type { Environment } from './environment.ts'
import { hostProcess } from './host-process.ts'
import { readSettings } from './setting.ts'
import { nextRuntime as runtimeSetting } from './settings.ts'

/** Capabilities of the host that delivery depends on. */
export interface HostRuntime {
  /** True for Node.js and Bun, false for edge runtimes that imitate Node.js. */
  readonly node: boolean
  /** Whether there is a `CompressionStream`. */
  readonly compressionStream: boolean
}

type Host = Readonly<Record<string, unknown>>

/**
 * Detects the runtime by its globals (contract 1.3), which are a parameter so that tests can imitate an edge runtime.
 */
export function detectRuntime(env: Environment, host: Host = globalThis as unknown as Host): HostRuntime {
  const { nextRuntime } = readSettings({ nextRuntime: runtimeSetting }, {}, env, () => {})
  // An application may have replaced the global.
  const process = host === (globalThis as unknown) ? hostProcess() : host.process
  const versions = (process as { versions?: Record<string, string> } | undefined)?.versions
  const agent = (host.navigator as { userAgent?: unknown } | undefined)?.userAgent
  const edge =
    host.EdgeRuntime !== undefined ||
    nextRuntime === 'edge' ||
    agent === 'Cloudflare-Workers' ||
    (host.window !== undefined && host.document !== undefined)
  return {
    node: !edge && Boolean(versions?.node ?? versions?.bun) && hasBuiltin('node:zlib'),
    compressionStream: typeof host.CompressionStream === 'function',
  }
}

import { hostEnvironment } from '@svc/core/environment'
import { readSettings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'
import type { NextConfig } from 'next'

type ConfigFunction = (phase: string, context: { defaultConfig: NextConfig }) => NextConfig | Promise<NextConfig>

/**
 * Prepares the options of Next for tracing: the pipeline stays outside of bundles, goes along into a standalone build
 * (with the preload, too), and the public key and the URL of the service reach the browser for `useSvcFeedback`. What
 * the options say already stays.
 *
 * @param config the options, or the function that gives them
 * @example
 * export default withSvcConfig({ output: 'standalone' })
 */
export function withSvcConfig<Config extends NextConfig | ConfigFunction>(config: Config): Config {
  if (typeof config !== 'function') return prepared(config ?? {}) as Config
  return (async (phase: string, context: { defaultConfig: NextConfig }) =>
    prepared(await config(phase, context))) as Config
}

/** What hooks modules, or is hooked, must run as it was published. */
const EXTERNAL = ['@svc/register', '@ai-sdk/otel']

function prepared(config: NextConfig): NextConfig {
  return {
    ...config,
    serverExternalPackages: joined(config.serverExternalPackages, EXTERNAL),
    instrumentationClientInject: joined(config.instrumentationClientInject, ['@svc/next/client-inject']),
    env: { ...clientVariables(), ...config.env },
  }
}

function joined(own: readonly string[] = [], ours: readonly string[]): string[] {
  return [...new Set([...own, ...ours])]
}

/** The public key and the URL, for the page: under the names by which bundlers put variables into it. */
function clientVariables(): Record<string, string> {
  const { publicKey, baseUrl } = readSettings(exportSettings, {}, hostEnvironment, () => {})
  return {
    ...(publicKey === undefined ? {} : { NEXT_PUBLIC_SVC_PUBLIC_KEY: publicKey }),
    ...(baseUrl === undefined ? {} : { NEXT_PUBLIC_SVC_BASE_URL: baseUrl }),
  }
}

import { hostEnvironment } from '@svc/core/environment'
import { readSettings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'
import { LIBRARIES } from '@svc/instrumentation/libraries'
import type { NextConfig } from 'next'
import { findPackage, tracedPackages } from './traced-packages.ts'

type ConfigFunction = (phase: string, context: { defaultConfig: NextConfig }) => NextConfig | Promise<NextConfig>

/** Options of {@link withSvcConfig}. */
export interface SvcConfigOptions {
  /**
   * Further packages that a standalone build or a serverless function takes along, with all they need. The parts of
   * OpenTelemetry that only some use are left out, because they are ten times larger than all others together:
   * `@opentelemetry/auto-instrumentations-node` for instrumentations of its catalogue, `@opentelemetry/sdk-node` for a
   * second destination.
   */
  readonly include?: readonly string[] | undefined
}

/**
 * Prepares the options of Next for tracing: the pipeline and the libraries whose calls are recorded stay outside of
 * bundles; the pipeline goes along into a standalone build, where the preload works as well; the public key and the URL of the service reach the page for `useSvcFeedback`. What
 * the options say already stays.
 *
 * @param config the options, a promise of them, or the function that gives them
 * @example
 * export default withSvcConfig({ output: 'standalone' })
 */
export function withSvcConfig<Config extends NextConfig | Promise<NextConfig> | ConfigFunction>(
  config: Config,
  options: SvcConfigOptions = {},
): Config {
  if (config instanceof Promise) return config.then((ready: NextConfig) => prepared(ready, options)) as Config
  if (typeof config !== 'function') return prepared(config ?? {}, options) as Config
  return (async (phase: string, context: { defaultConfig: NextConfig }) =>
    prepared(await config(phase, context), options)) as Config
}

/** Packages that hook modules, which must run as they were published. */
const EXTERNAL = ['@svc/register']
const TRACED_BY_NEXT = ['next', 'react', 'react-dom']
/** Loaded only by those who ask for it. */
const RARE = ['@opentelemetry/auto-instrumentations-node', '@opentelemetry/sdk-node']

function prepared(config: NextConfig, { include = [] }: SvcConfigOptions): NextConfig {
  const project = process.cwd()
  const traced = tracedPackages(
    project,
    ['@svc/next', '@svc/register', ...include],
    new Set([...TRACED_BY_NEXT, ...RARE].filter((name) => !include.includes(name))),
  )
  const own = config.outputFileTracingIncludes
  return {
    ...config,
    serverExternalPackages: joined(config.serverExternalPackages, [...EXTERNAL, ...libraries(project, config)]),
    outputFileTracingIncludes: { ...own, [EVERYWHERE]: joined(own?.[EVERYWHERE], traced) },
    env: { ...clientVariables(), ...config.env },
  }
}

const EVERYWHERE = '/**'

/** The libraries that are hooked when they are loaded. Next takes no package that is to be outside and transpiled. */
function libraries(project: string, { transpilePackages = [] }: NextConfig): string[] {
  const names = LIBRARIES.map((library) => library.package)
  return names.filter((name) => !transpilePackages.includes(name) && findPackage(project, name) !== undefined)
}

function joined(own: readonly string[] = [], ours: readonly string[]): string[] {
  return [...new Set([...own, ...ours])]
}

/** Returns the public key and the URL for the page, under the names by which bundlers put variables into it. */
function clientVariables(): Record<string, string> {
  const { publicKey, baseUrl } = readSettings(exportSettings, {}, hostEnvironment, () => {})
  return {
    ...(publicKey === undefined ? {} : { NEXT_PUBLIC_SVC_PUBLIC_KEY: publicKey }),
    ...(baseUrl === undefined ? {} : { NEXT_PUBLIC_SVC_BASE_URL: baseUrl }),
  }
}

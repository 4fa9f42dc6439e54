import { type Environment, hostEnvironment } from '@svc/core/environment'
import { missingKeys } from '@svc/core/keys'
import { warnOfSetting } from '@svc/core/log'
import { ownFields } from '@svc/core/own'
import { isLoopback } from '@svc/core/proxy'
import { hasSecondDestination } from '@svc/core/second-destination'
import { readSettings, type Settings } from '@svc/core/setting'
import { exportSettings, preloadSettings } from '@svc/core/settings'
import { transportOf } from '@svc/core/transport'
import { thirdPartyIn } from '@svc/instrumentation/third-party/names'
import { loadConfigFile, type SvcConfig } from './config-file.ts'
import { knownPropagators, type PropagatorName } from './propagator-names.ts'
import type { RequestValues } from './request-values.ts'
import { canServeMetrics, canServeSecond, type MetricsExporter } from './second-destination.ts'
import type { StartOptions } from './start-options.ts'
import { keptScopes, type Treatment } from './treatment.ts'

/** Everything that was decided before anything is built. */
export interface Plan {
  readonly owner: string
  readonly preload: Settings<typeof preloadSettings>
  readonly service: Settings<typeof exportSettings>
  /** Options of the span processor: the config file's, and over them those given in code. */
  readonly params: SvcConfig
  /** Treatments of single scopes. More may be attached while the pipeline runs. */
  readonly aiSdk: boolean | undefined
  readonly treatments: Map<string, Treatment>
  /** Whether libraries are instrumented. */
  readonly instrument: boolean
  readonly requestValues: RequestValues | undefined
  readonly propagators: readonly PropagatorName[]
  /** Whether spans are sent to the service. */
  readonly sends: boolean
  /** Whether spans are sent to a second destination. */
  readonly second: boolean
  /** Where GenAI metrics go if the application has no meter provider; undefined if none are counted. */
  readonly metrics: readonly MetricsExporter[] | undefined
  /** Whether names of the conventions since their last release are written. */
  readonly latest: boolean
  /** Whether answers of models are kept as they came. */
  readonly raw: boolean
  /** Whether the engine is created at startup: there is data to send or a setting to check. */
  readonly needsEngine: boolean
  readonly env: Environment
}

const TRUST = { trustTraceparent: preloadSettings.trustTraceparent }

/**
 * Reads options and environment, and plans the pipeline. Each invalid value is reported in one line.
 *
 * @returns undefined without a pipeline to build: tracing is disabled, or there is no destination
 */
export function planOf(
  startOptions: StartOptions = {},
  env: Environment = hostEnvironment,
  report: (line: string) => void = warnOfSetting,
): Plan | undefined {
  const {
    owner = '@svc/register',
    serviceName,
    scopes = {},
    aiSdk,
    instrument = true,
    ...more
  } = ownFields(startOptions)
  const { requestValues, ...options } = ownFields(more)
  const preload = readSettings(preloadSettings, { serviceName }, env, report)
  if (!preload.tracingEnabled || preload.sdkDisabled) return undefined
  const config = preload.configFile === undefined ? {} : loadConfigFile(preload.configFile, report)
  if (!config) return undefined
  // An undefined option counts as not given: it must not remove the mask of the file.
  const given: SvcConfig = ownFields({
    ...config,
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  })
  const resolved = readSettings(exportSettings, given, env, report)
  const trust = { trustTraceparent: given.trustTraceparent ?? preload.trustTraceparent }
  const { trustTraceparent } = readSettings(TRUST, trust, () => undefined, report)
  const treatments = new Map(Object.entries(scopes))
  const allowedScopes = [...resolved.allowedScopes, ...keptScopes(scopes), ...thirdPartyIn(preload.instrumentations)]
  const service = { ...resolved, allowedScopes }
  const params = allowedScopes.length > resolved.allowedScopes.length ? ownFields({ ...given, allowedScopes }) : given
  const missing = missingKeys(service)
  const hasKeys = params.exporter !== undefined || missing.length === 0
  if (!hasKeys) {
    const what = missing.join(' and no ')
    // Next reads such a file before it starts us.
    const file = owner === '@svc/next' ? '' : ' A .env file is read by node --env-file=.env; dotenv is too late.'
    const [counts, silence] = preload.genAiMetrics
      ? [', but GenAI metrics are counted', '']
      : ['', ', or SVC_TRACING_ENABLED=false to silence this']
    report(`no ${what}, so nothing is traced${counts}. Set ${missing.join(' and ')}${silence}.${file}`)
  }
  const sends = hasKeys && (params.exporter !== undefined || service.baseUrl !== undefined)
  const wantsSecond = hasSecondDestination({ ...preload, baseUrl: service.baseUrl }, report)
  const second = wantsSecond && canServeSecond(sends, report)
  if (!sends && !second && !preload.genAiMetrics) return undefined
  if (preload.samplerArgument !== 1 && !preload.sampler.endsWith('traceidratio'))
    report(`OTEL_TRACES_SAMPLER_ARG has no effect: set OTEL_TRACES_SAMPLER=parentbased_traceidratio as well.`)
  const propagators = knownPropagators(preload.propagators, report)
  // Invalid certificates and proxies are reported at the start; both are read again when needed.
  if (sends) transportOf(service.baseUrl, env, report)
  // Options that exist only in code are checked where they are used.
  const needsEngine =
    preload.eager || second || preload.genAiMetrics || service.spoolDir !== undefined || Object.keys(params).length > 0
  const metrics = preload.genAiMetrics ? exportersOf(preload.metricsExporter, report) : undefined
  const raw = preload.record === 'raw' && keepsRaw(params, service.baseUrl, second, report)
  const latest = preload.conventions.includes('gen_ai_latest_experimental')
  const decided = {
    owner,
    preload: { ...preload, trustTraceparent },
    service,
    params,
    sends,
    second,
    raw,
    metrics,
    latest,
    env,
  }
  return { ...decided, aiSdk, treatments, instrument, requestValues, propagators, needsEngine }
}

/** Raw answers stay on this machine, and a mask would see only pieces of what they say. */
function keepsRaw(
  { exporter, mask }: SvcConfig,
  baseUrl: string | undefined,
  second: boolean,
  report: (line: string) => void,
): boolean {
  const isHere = baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname)
  const destination = exporter ? 'an exporter' : second ? 'a second destination' : isHere ? undefined : baseUrl
  const reason = destination ? `is only for this machine, and spans go to ${destination}` : mask && 'goes with no mask'
  if (reason) report(`SVC_RECORD=raw ${reason}. Answers are not kept as they came.`)
  return !reason
}

function exportersOf(
  named: readonly (MetricsExporter | 'none')[],
  report: (line: string) => void,
): readonly MetricsExporter[] {
  const exporters = named.includes('none') ? [] : named.filter((name) => name !== 'none')
  return exporters.length > 0 && canServeMetrics(report) ? [...new Set(exporters)] : []
}

import { hostEnvironment } from '@svc/core/environment'
import { readSettings } from '@svc/core/setting'
import { exportSettings, trustTraceparent } from '@svc/core/settings'
import * as SLOTS from '@svc/core/slots'
import type { CallerTrust } from '@svc/core/trust'
import { propagatedText, propagatedValues } from '@svc/tracing/adapters'
import type { SvcModuleOptions, SvcResolver, SvcRoute } from './options.ts'
import { toText, withTextIds } from './scope/ids.ts'
import type { Resolver } from './scope/resolution.ts'
import type { ServiceAccess } from './trace-links.ts'

/** The settings of the module, read from its options and the environment. */
export interface SvcSettings extends CallerTrust {
  /** Spans are recorded in this process. Without that there is nothing to do. */
  readonly active: boolean
  readonly captureInput: boolean | undefined
  readonly captureOutput: boolean | undefined
  readonly exclude: readonly SvcRoute[]
  readonly shutdownTimeoutMs: number
  /** How links are requested from the service. */
  readonly access: ServiceAccess
  /** Say who a request or message is for. */
  readonly resolvers: readonly Resolver[]
}

const TRUST = { trustTraceparent, trustBaggage: exportSettings.trustBaggage }

/** Injection token of the settings. */
export const SVC_SETTINGS = Symbol.for(SLOTS.NESTJS_SETTINGS)

export function settingsOf(options: SvcModuleOptions, active: boolean): SvcSettings {
  const { captureInput, captureOutput, exclude, shutdownTimeoutMs } = options
  const { publicKey, secretKey, baseUrl } = options
  return {
    active,
    captureInput,
    captureOutput,
    exclude: exclude ?? [],
    // What is invalid is reported where the pipeline reads it.
    ...readSettings(TRUST, { ...options }, hostEnvironment, () => {}),
    shutdownTimeoutMs: shutdownTimeoutMs ?? 2_000,
    access: { publicKey, secretKey, baseUrl },
    resolvers: QUESTIONS.flatMap(({ option, accept }) => resolverOf(option, options[option], accept)),
  }
}

function resolverOf(option: string, resolver: unknown, accept: Question['accept']): Resolver[] {
  const resolve = resolver as SvcResolver<unknown> | null | undefined
  return resolve ? [{ option, resolve, accept }] : []
}

interface Question {
  readonly option: 'context' | 'user' | 'session'
  readonly accept: Resolver['accept']
}

// Later ones win.
const QUESTIONS: readonly Question[] = [
  { option: 'context', accept: (values, reject) => propagatedValues(withTextIds(values), reject) },
  { option: 'user', accept: (id, reject) => propagatedText('userId', toText(id), reject) },
  { option: 'session', accept: (id, reject) => propagatedText('sessionId', toText(id), reject) },
]

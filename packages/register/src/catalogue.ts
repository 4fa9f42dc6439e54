import { adoptAiSdk } from '@svc/instrumentation/ai-sdk/adoption'
import { loadAiSdkTelemetry } from '@svc/instrumentation/ai-sdk-telemetry'
import { TARGETS } from '@svc/instrumentation/targets'
import { isThirdParty, thirdPartyIn } from '@svc/instrumentation/third-party/names'

/** Our own instrumentations, by name. */
export const OWN: typeof TARGETS = TARGETS

/** Libraries with their own telemetry, which only has to be switched on. A new one is one row. */
export const ADOPTED: Readonly<Record<string, () => void>> = {
  ai: () => adoptAiSdk(loadAiSdkTelemetry),
}

const PREFIX = '@opentelemetry/instrumentation-'

/**
 * OpenTelemetry's catalogue (`@opentelemetry/auto-instrumentations-node` 0.82), by the short names that its own
 * variables use. `catalogue.test.ts` compares the list with the installed package.
 */
export const STANDARD: readonly string[] = `amqplib aws-lambda aws-sdk bunyan cassandra-driver connect cucumber
  dataloader dns express fs generic-pool graphql grpc hapi host-metrics http ioredis kafkajs knex koa lru-memoizer
  memcached mongodb mongoose mysql mysql2 nestjs-core net oracledb pg pino redis restify router runtime-node socket.io
  tedious undici winston`.split(/\s+/)

/** Left out of "all" by OpenTelemetry itself: too much noise. */
const NOT_BY_DEFAULT = new Set(['fs', 'host-metrics'])

/** The names of our instrumentations. */
export const KNOWN = [...new Set([...Object.keys(OWN), ...Object.keys(ADOPTED)])]

export interface Selection {
  /** Our own, by name. */
  readonly own: readonly string[]
  /** OpenTelemetry's, by short name. */
  readonly standard: readonly string[]
  /** Those of OpenInference and Traceloop, by package. They run only if they are named. */
  readonly foreign: readonly string[]
  /** Names that are in neither catalogue. */
  readonly unknown: readonly string[]
}

export interface SelectionOptions {
  /** Only these, when given. */
  readonly instrumentations: readonly string[] | undefined
  /** Never these. */
  readonly disabledInstrumentations: readonly string[]
  /** Scopes to keep: one that belongs to the catalogue switches its instrumentation on. */
  readonly allowedScopes: readonly string[]
  /** With a second destination the whole catalogue is on. */
  readonly everything: boolean
}

/** Selects the instrumentations to run. Ours win over OpenTelemetry's for the same library. */
export function select({
  instrumentations,
  disabledInstrumentations,
  allowedScopes,
  everything,
}: SelectionOptions): Selection {
  const selected = instrumentations?.map(catalogueName)
  const disabled = disabledInstrumentations.map(catalogueName)
  const allowed = allowedScopes.filter((scope) => scope.startsWith(PREFIX)).map(shortName)
  const named = [...(selected ?? []), ...disabled]
  const standard = new Set([
    ...STANDARD.filter((name) => (selected ? selected.includes(name) : everything && !NOT_BY_DEFAULT.has(name))),
    ...STANDARD.filter((name) => allowed.some((scope) => scope === name || isPrefixOf(scope, name))),
  ])
  return {
    own: KNOWN.filter((name) => (selected?.includes(name) ?? true) && !disabled.includes(name)),
    standard: [...standard].filter((name) => !disabled.includes(name)),
    foreign: thirdPartyIn(selected).filter((name) => !disabled.includes(name)),
    unknown: named.filter((name) => !KNOWN.includes(name) && !STANDARD.includes(name) && !isThirdParty(name)),
  }
}

export function scopeOf(name: string): string {
  return PREFIX + name
}

/** Normalizes a name: `OpenAI` and `cohere-ai` become `openai` and `cohere`. */
function catalogueName(given: string): string {
  const name = shortName(given.toLowerCase())
  return KNOWN.find((known) => OWN[known]?.some((target) => target.package === name)) ?? name
}

function shortName(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name
}

function isPrefixOf(scope: string, name: string): boolean {
  return scope.endsWith('*') && name.startsWith(scope.slice(0, -1))
}

import { isForeign } from '@svc/instrumentation/adopted'
import { adoptAiSdk, loadAiSdkTelemetry } from '@svc/instrumentation/ai-sdk/adoption'
import type { ModuleTarget } from '@svc/instrumentation/hook'
import { targets } from '@svc/instrumentation/targets'

/**
 * Our own instrumentations by name, with the versions they understand: from, and below. A new one is one row. Each
 * target loads what observes calls with the first of them, or else with its package.
 */
export const OWN: Readonly<Record<string, readonly ModuleTarget[]>> = {
  openai: [understood(targets.openai, '4.19.0', '8.0.0')],
  anthropic: [understood(targets.anthropic, '0.60.0', '2.0.0')],
  groq: [understood(targets.groq, '0.5.0', '2.0.0')],
  together: [understood(targets.together, '0.6.0', '1.0.0')],
  'google-genai': [understood(targets.googleGenAI, '1.0.0', '4.0.0')],
  ollama: [understood(targets.ollama, '0.5.0', '1.0.0')],
  cohere: [understood(targets.cohere, '7.14.0', '9.0.0'), understood(targets.cohereV1, '7.14.0', '9.0.0')],
  ai: [understood(targets.ai, '5.0.0', '8.0.0')],
  mistral: [understood(targets.mistral, '1.0.0', '3.0.0'), understood(targets.mistralSpans, '2.3.0', '3.0.0')],
  bedrock: [understood(targets.bedrock, '3.622.0', '4.0.0')],
  agents: [understood(targets.agents, '0.1.0', '1.0.0')],
  mcp: [understood(targets.mcp, '1.0.0', '2.0.0'), understood(targets.mcpClient, '2.0.0', '3.0.0')],
  langchain: [understood(targets.langchain, '0.3.0', '2.0.0')],
}

/** Libraries with telemetry of their own, which is only switched on. A new one is one row. */
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

/** The names of all that is ours. */
export const KNOWN = [...new Set([...Object.keys(OWN), ...Object.keys(ADOPTED)])]

export interface Choice {
  /** Our own, by name. */
  readonly own: readonly string[]
  /** OpenTelemetry's, by short name. */
  readonly standard: readonly string[]
  /** Those of OpenInference and Traceloop, by package, which run only where they are named. */
  readonly foreign: readonly string[]
  /** Names that are in neither catalogue. */
  readonly unknown: readonly string[]
}

export interface Wishes {
  /** Only these, when given. */
  readonly instrumentations: readonly string[] | undefined
  /** Never these. */
  readonly disabledInstrumentations: readonly string[]
  /** Scopes to keep: one that belongs to the catalogue switches its instrumentation on. */
  readonly allowedScopes: readonly string[]
  /** With a second destination all of the catalogue is on. */
  readonly everything: boolean
}

/** Which instrumentations run. Ours always win over OpenTelemetry's for the same library. */
export function choose({ instrumentations, disabledInstrumentations, allowedScopes, everything }: Wishes): Choice {
  const wanted = instrumentations?.map(nameMeant)
  const never = disabledInstrumentations.map(nameMeant)
  const allowed = allowedScopes.filter((scope) => scope.startsWith(PREFIX)).map(shortName)
  const named = [...(wanted ?? []), ...never]
  const standard = new Set([
    ...STANDARD.filter((name) => (wanted ? wanted.includes(name) : everything && !NOT_BY_DEFAULT.has(name))),
    ...STANDARD.filter((name) => allowed.some((scope) => scope === name || isPrefixOf(scope, name))),
  ])
  return {
    own: KNOWN.filter((name) => (wanted?.includes(name) ?? true) && !never.includes(name)),
    standard: [...standard].filter((name) => !never.includes(name)),
    foreign: foreignIn(wanted).filter((name) => !never.includes(name)),
    unknown: named.filter((name) => !KNOWN.includes(name) && !STANDARD.includes(name) && !isForeign(name)),
  }
}

/** Which of the names are those of OpenInference's and Traceloop's instrumentations. */
export function foreignIn(names: readonly string[] | undefined): readonly string[] {
  return names?.filter(isForeign) ?? []
}

/** The scope in which an instrumentation of the catalogue makes its spans. */
export function scopeOf(name: string): string {
  return PREFIX + name
}

/** Whoever writes `OpenAI` or `cohere-ai` means `openai` and `cohere`. */
function nameMeant(written: string): string {
  const name = shortName(written.toLowerCase())
  return KNOWN.find((known) => OWN[known]?.some((target) => target.package === name)) ?? name
}

function shortName(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name
}

function isPrefixOf(scope: string, name: string): boolean {
  return scope.endsWith('*') && name.startsWith(scope.slice(0, -1))
}

function understood(target: ModuleTarget, from: string, below: string): ModuleTarget {
  return { ...target, versions: { from, below } }
}

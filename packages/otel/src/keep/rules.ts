import { type Context, createTraceState, type SpanContext } from '@opentelemetry/api'
import { SpanStatusCode, trace } from '@svc/core/api'
import { EXPERIMENT_ENVIRONMENT } from '@svc/core/attributes/constants'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import type { KeptFor } from '@svc/core/health'
import { fieldsOf, parsedJson, valueAt } from '@svc/core/json'
import { ENDED_EARLY } from '@svc/core/open-calls'
import type { ReadableSpan } from '../sdk.ts'
import { hasFailedSilently } from '../silent-failure.ts'

/** The rules of `SVC_KEEP`. What is not asked for never holds. */
interface KeepRules {
  readonly errors: boolean
  readonly scored: boolean
  readonly slowMs: number
  /** In US dollars. */
  readonly cost: number
  readonly users: ReadonlySet<string>
  /** The share of all other traces, from 0 to 1. */
  readonly rest: number
}

const MILLISECONDS: ReadonlyMap<string | undefined, number> = new Map([
  ['ms', 1],
  ['m', 60_000],
])

const USERS = 'users:'

/** @param texts as the setting has checked them; of several of one name the last one counts, but for users */
export function rulesOf(texts: readonly string[]): KeepRules {
  const values = new Map(texts.map((text) => [text.split(':', 1)[0], text.slice(text.indexOf(':') + 1)]))
  const users = texts.filter((text) => text.startsWith(USERS)).flatMap((text) => text.slice(USERS.length).split('|'))
  const [, time, unit] = /^([\d.]+)([a-z]*)$/.exec(values.get('slow') ?? '') ?? []
  return {
    errors: values.has('errors'),
    scored: values.has('scored'),
    slowMs: time === undefined ? Number.POSITIVE_INFINITY : Number(time) * (MILLISECONDS.get(unit) ?? 1_000),
    cost: Number(values.get('cost') ?? Number.POSITIVE_INFINITY),
    users: new Set(users.map((user) => user.trim())),
    rest: Number(values.get('rest') ?? 0),
  }
}

/** Returns the rule that holds for a trace when one of its spans has ended. */
export function reasonToKeep(
  rules: KeepRules,
  { id, start, cost }: { readonly id: string; readonly start: number; readonly cost: number },
  span: ReadableSpan,
): KeptFor | undefined {
  if (isOfExperiment(span)) return 'experiment'
  if (rules.errors && hasFailed(span)) return 'errors'
  if (millisecondsOf(span.endTime) - Math.min(start, millisecondsOf(span.startTime)) >= rules.slowMs) return 'slow'
  if (cost >= rules.cost) return 'cost'
  if (rules.users.has(userOf(span))) return 'users'
  return isOfShare(id, rules.rest) ? 'rest' : undefined
}

export const millisecondsOf = ([seconds, nanoseconds]: ReadableSpan['startTime']): number =>
  seconds * 1_000 + nanoseconds / 1e6

/**
 * Whether a trace is one of this share of all traces: what `TraceIdRatioBasedSampler` of OpenTelemetry's SDK says of it,
 * so that all processes say the same.
 */
export function isOfShare(traceId: string, ratio: number): boolean {
  let folded = 0
  for (let at = 0; at < 32; at += 8) folded = (folded ^ Number.parseInt(traceId.slice(at, at + 8), 16)) >>> 0
  return folded < (ratio === 1 ? 2 ** 32 : Math.floor(ratio * (2 ** 32 - 1)))
}

/** Whether a span tells of an error, or of work that the end of the process cut off. */
function hasFailed(span: ReadableSpan): boolean {
  if (span.status.code === SpanStatusCode.ERROR || valueAt(span.attributes, ATTRIBUTE.OBSERVATION_LEVEL) === 'ERROR')
    return true
  return valueAt(span.attributes, ATTRIBUTE.OBSERVATION_STATUS_MESSAGE) === ENDED_EARLY || hasFailedSilently(span)
}

/** The cost that a span states, in US dollars, from where the service reads it. The prices of the service are not known here. */
export function costOf(span: ReadableSpan): number {
  const details = valueAt(span.attributes, ATTRIBUTE.OBSERVATION_COST_DETAILS)
  const stated = typeof details === 'string' ? parsedJson(details) : undefined
  if (typeof stated !== 'object' || stated === null) {
    return numberIn(valueAt(span.attributes, GEN_AI.USAGE_COST) ?? valueAt(span.attributes, 'llm.cost.total'))
  }
  const total = valueAt(stated, 'total')
  if (typeof total === 'number') return total
  return Object.values(fieldsOf(stated) ?? {}).reduce<number>((sum, each) => sum + numberIn(each), 0)
}

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)

export function isOfExperiment(span: ReadableSpan): boolean {
  return (
    valueAt(span.attributes, ATTRIBUTE.EXPERIMENT_ID) !== undefined ||
    valueAt(span.attributes, ATTRIBUTE.ENVIRONMENT) === EXPERIMENT_ENVIRONMENT
  )
}

export function userOf(span: ReadableSpan): string {
  return String(
    valueAt(span.attributes, ATTRIBUTE.TRACE_USER_ID) ?? valueAt(span.attributes, ATTRIBUTE.TRACE_COMPAT_USER_ID) ?? '',
  )
}

/** Member of `tracestate` that tells called processes whether the trace was kept: `svc=keep:1`. */
const KEY = 'svc'
const KEPT = 'keep:1'
const NOT_KEPT = 'keep:0'

/** Returns a context that tells it of the trace of its span. */
export function withTraceState(context: Context, above: SpanContext, isKept: boolean): Context {
  const traceState = (above.traceState ?? createTraceState()).set(KEY, isKept ? KEPT : NOT_KEPT)
  return trace.setSpanContext(context, { ...above, traceState })
}

/** Whether the process that called had kept the trace when it called; undefined where it says nothing. */
export function isKeptByCaller({ parentSpanContext: parent }: ReadableSpan): boolean | undefined {
  const state = parent?.isRemote ? parent.traceState?.get(KEY) : undefined
  return state === KEPT || (state === NOT_KEPT ? false : undefined)
}

import { estimatedCost } from '../price/estimate.ts'
import { flag, json, real, text, whole } from './kinds.ts'
import { LEVELS, type StoredObservation } from './observation.ts'
import type { Table } from './rows.ts'

/** A trace in the list of traces: kept beside the observations, so that a page of the list costs no sums. */
export interface StoredTrace {
  readonly traceId: string
  /** Rises with every change of any trace. */
  readonly change: number
  /** Microseconds since 1970: the first start, the last end. */
  readonly startTime: number
  readonly endTime: number
  readonly observations: number
  /** Index into LEVELS: the one that matters most, `DEFAULT` at least. */
  readonly level: number
  readonly errors: number
  readonly warnings: number
  /** Rank of the best root that arrived: see RootRank. */
  readonly root: number
  /** See `traceOf`. */
  readonly name: string | null
  readonly givenName: string | null
  readonly rootName: string | null
  readonly userId: string | null
  readonly sessionId: string | null
  readonly environment: string | null
  readonly public: boolean
  readonly tags: readonly string[]
  readonly models: readonly string[]
  /** Names of the observations, the first few different ones, one a line: what a search by name looks at. */
  readonly names: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  /** US dollars, as sent, else by the built-in prices; null when neither is known. */
  readonly cost: number | null
  /** Some of the cost was not sent. */
  readonly estimated: boolean
}

export const TRACES: Table<StoredTrace> = {
  name: 'traces',
  columns: {
    traceId: text,
    change: whole,
    startTime: whole,
    endTime: whole,
    observations: whole,
    level: whole,
    errors: whole,
    warnings: whole,
    root: whole,
    name: text,
    givenName: text,
    rootName: text,
    userId: text,
    sessionId: text,
    environment: text,
    public: flag,
    tags: json,
    models: json,
    names: text,
    inputTokens: whole,
    outputTokens: whole,
    totalTokens: whole,
    cost: real,
    estimated: flag,
  },
  key: ['traceId'],
  indexes: [
    '(startTime)',
    '(change)',
    '(sessionId, startTime)',
    '(userId, startTime)',
    '(name, startTime)',
    '(level, startTime)',
  ],
}

const NOTHING: Omit<StoredTrace, 'traceId' | 'change'> = {
  startTime: Number.MAX_SAFE_INTEGER,
  endTime: 0,
  observations: 0,
  level: LEVELS.indexOf('DEFAULT'),
  errors: 0,
  warnings: 0,
  root: 0,
  name: null,
  givenName: null,
  rootName: null,
  userId: null,
  sessionId: null,
  environment: null,
  public: false,
  tags: [],
  models: [],
  names: '',
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cost: null,
  estimated: false,
}

const MAX_TAGS = 50
/** As many as the Models page of the viewer shows: each of them links to its traces. */
const MAX_MODELS = 1_000
const MAX_NAMES = 1_000

/** A trace with observations that are new to it. */
export function grown(
  before: StoredTrace | undefined,
  fresh: readonly StoredObservation[],
  { traceId, change }: Pick<StoredTrace, 'traceId' | 'change'>,
): StoredTrace {
  return fresh.reduce<StoredTrace>((trace, each) => withOne(trace, each), {
    ...(before ?? NOTHING),
    traceId,
    change,
  })
}

function withOne(trace: StoredTrace, one: StoredObservation): StoredTrace {
  const leads = one.root > trace.root
  // Fields of the root override those of other observations.
  const pick = <T>(now: T | null, before: T | null): T | null => (leads ? (now ?? before) : (before ?? now))
  const givenName = pick(one.traceName, trace.givenName)
  const rootName = leads ? one.name : trace.rootName
  const tokens = tokensOf(one.usage)
  const cost = costOf(one)
  return {
    ...trace,
    startTime: Math.min(trace.startTime, one.startTime),
    endTime: Math.max(trace.endTime, one.endTime),
    observations: trace.observations + 1,
    level: Math.max(trace.level, LEVELS.indexOf(one.level)),
    errors: trace.errors + (one.level === 'ERROR' ? 1 : 0),
    warnings: trace.warnings + (one.level === 'WARNING' ? 1 : 0),
    root: Math.max(trace.root, one.root),
    givenName,
    rootName,
    name: givenName ?? rootName,
    userId: pick(one.userId, trace.userId),
    sessionId: pick(one.sessionId, trace.sessionId),
    environment: pick(one.environment === 'default' ? null : one.environment, trace.environment),
    public: trace.public || one.public,
    tags: joined(trace.tags, one.tags, MAX_TAGS),
    models: one.model === null ? trace.models : joined(trace.models, [one.model], MAX_MODELS),
    names:
      trace.names.length < MAX_NAMES && !trace.names.includes(one.name) ? `${trace.names}\n${one.name}` : trace.names,
    inputTokens: trace.inputTokens + tokens.input,
    outputTokens: trace.outputTokens + tokens.output,
    totalTokens: trace.totalTokens + tokens.total,
    cost: cost.usd === null ? trace.cost : (trace.cost ?? 0) + cost.usd,
    estimated: trace.estimated || cost.estimated,
  }
}

function joined(list: readonly string[], more: readonly string[], most: number): readonly string[] {
  if (more.every((item) => list.includes(item))) return list
  return [...new Set([...list, ...more])].slice(0, most)
}

/** Tokens of one call: cached and reasoning ones are part of their side. */
export function tokensOf(usage: Readonly<Record<string, number>>): { input: number; output: number; total: number } {
  const side = (name: string) =>
    Object.entries(usage).reduce((sum, [key, count]) => (key.startsWith(name) ? sum + count : sum), 0)
  const [input, output] = [side('input'), side('output')]
  return { input, output, total: usage.total ?? input + output }
}

/** US dollars of one call: as sent, else by the built-in prices. */
export function costOf({ cost, model, usage }: Pick<StoredObservation, 'cost' | 'model' | 'usage'>): {
  usd: number | null
  estimated: boolean
} {
  const sent = Object.entries(cost)
  if (sent.length > 0) {
    const sum = sent.reduce((all, [, usd]) => all + usd, 0)
    return { usd: cost.total ?? sum, estimated: false }
  }
  const usd = estimatedCost(model, usage)
  return { usd, estimated: usd !== null }
}

import { estimatedCost } from '../price/estimate.ts'
import { flag, orNull, real, text, texts, whole } from './kinds.ts'
import { LEVELS, type StoredObservation } from './observation.ts'
import { type RowOf, table } from './rows.ts'

/** Kept beside the observations, so that a page of the list of traces costs no sums. */
export const TRACES = table({
  name: 'traces',
  columns: {
    traceId: text,
    /** Rises with every change of any trace. */
    change: whole,
    /** Microseconds since 1970: the first start, the last end. */
    startTime: whole,
    endTime: whole,
    observations: whole,
    /** Index into LEVELS: the one that matters most, `DEFAULT` at least. */
    level: whole,
    errors: whole,
    warnings: whole,
    /** Rank of the best root that arrived: see RootRank. */
    root: whole,
    /** See `traceOf`. */
    name: orNull(text),
    givenName: orNull(text),
    rootName: orNull(text),
    userId: orNull(text),
    sessionId: orNull(text),
    environment: orNull(text),
    public: flag,
    tags: texts,
    models: texts,
    /** Names of the observations, the first few different ones, one a line: what a search by name looks at. */
    names: text,
    inputTokens: whole,
    outputTokens: whole,
    totalTokens: whole,
    /** US dollars, as sent, else by the built-in prices; null when neither is known. */
    cost: orNull(real),
    /** Some of the cost was not sent. */
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
})

/** A trace in the list of traces. */
export type StoredTrace = RowOf<typeof TRACES>

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

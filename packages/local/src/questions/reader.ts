/**
 * The reading endpoints of the public API that questions are answered from. `SvcApi` of `@svc/client` has this form; so
 * has what a running `@svc/local` reads its own store with (mcp/own-reader.ts).
 */
export interface TraceReader {
  readonly observations: { getMany(request: ObservationsRequest): PromiseLike<ApiPage<SeenObservation>> }
  readonly metrics: { metrics(request: { query: string }): PromiseLike<{ data: Figure[] }> }
  readonly prompts: { list(request: { name?: string; limit?: number }): PromiseLike<ApiPage<SeenPrompt>> }
  readonly datasets: { list(request: { limit?: number }): PromiseLike<ApiPage<SeenDataset>> }
  readonly datasetItems: {
    list(request: { datasetName?: string; limit?: number }): PromiseLike<ApiPage<SeenItem>>
  }
}

/** The writing endpoints, for `svc mcp --allow-write`. */
export interface TraceWriter {
  readonly scores: { create(request: readonly NewScore[]): PromiseLike<unknown> }
  readonly datasetItems: { create(request: NewItem): PromiseLike<unknown> }
}

export interface ObservationsRequest {
  fields?: string
  filter?: string
  cursor?: string
  limit?: number
}

interface ApiPage<Item> {
  data: Item[]
  meta: { cursor?: string | null; totalItems?: number }
}

/** A row of the metrics endpoint, by dimensions and figures. */
export type Figure = Record<string, unknown>

/** What questions read of an observation (contract, appendix A: `ObservationV2`). */
export interface SeenObservation {
  id: string
  traceId: string | null
  startTime: string
  endTime: string | null
  parentObservationId: string | null
  type: string
  isRootObservation?: boolean
  name?: string | null
  level?: string
  statusMessage?: string | null
  environment?: string | null
  userId?: string | null
  sessionId?: string | null
  input?: unknown
  output?: unknown
  providedModelName?: string | null
  usageDetails?: Record<string, number>
  costDetails?: Record<string, number>
  promptName?: string | null
  promptVersion?: number | null
  traceName?: string | null
  tags?: string[] | null
  release?: string | null
  version?: string | null
}

interface SeenPrompt {
  name: string
  type: string
  versions: number[]
  labels: string[]
  lastUpdatedAt: string
}

interface SeenDataset {
  name: string
  description: string | null
  createdAt: string
}

interface SeenItem {
  id: string
  status: string
  input: unknown
  expectedOutput: unknown
  sourceTraceId: string | null
}

export interface NewScore {
  traceId: string
  observationId?: string
  name: string
  value: number | string
  comment?: string
}

export interface NewItem {
  datasetName: string
  input: unknown
  expectedOutput?: unknown
  sourceTraceId?: string
  sourceObservationId?: string
}

/** A condition of the `filter` parameter. */
export interface FilterCondition {
  readonly type: string
  readonly column: string
  readonly operator: string
  readonly value: unknown
}

/** Everything but inputs, outputs and metadata, which are large. */
const FACTS = 'core,basic,model,usage,prompt,trace_context'
const MOST = 1_000

interface Wanted {
  readonly conditions: readonly FilterCondition[]
  readonly fields?: string
  /** Rows of one request. Default 1,000, the most that the API gives. */
  readonly limit?: number
  /** Requests at most. Default 5. */
  readonly pages?: number
  /** Called after each page; true ends the reading. */
  readonly enough?: (found: readonly SeenObservation[]) => boolean
}

/** Reads observations, the newest first, page after page. `isWhole`: there are no more. */
export async function readObservations(
  reader: TraceReader,
  { conditions, fields = FACTS, limit = MOST, pages = 5, enough = () => false }: Wanted,
): Promise<{ readonly found: readonly SeenObservation[]; readonly isWhole: boolean }> {
  const found: SeenObservation[] = []
  const filter = JSON.stringify(conditions)
  for (let page = 0, cursor: string | null | undefined; page < pages; page++) {
    const { data, meta } = await reader.observations.getMany({ filter, fields, limit, ...(cursor ? { cursor } : {}) })
    found.push(...data)
    cursor = meta.cursor
    if (!cursor) return { found, isWhole: true }
    if (enough(found)) break
  }
  return { found, isWhole: false }
}

export const equals = (column: string, value: string): FilterCondition => ({
  type: 'string',
  column,
  operator: '=',
  value,
})
export const anyOf = (column: string, value: readonly string[]): FilterCondition => ({
  type: 'stringOptions',
  column,
  operator: 'any of',
  value,
})

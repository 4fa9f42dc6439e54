import type { Attributes, Counter, Histogram, Meter, MeterProvider } from '@opentelemetry/api'
import * as METRIC from '@svc/core/attributes/metrics'
import { VERSION } from '@svc/core/version'

/** What is measured. Some of it has a name in one generation of the conventions only. */
export type Measure =
  | 'call'
  | 'otherCall'
  | 'firstChunk'
  | 'perChunk'
  | 'tokens'
  | 'inputTokens'
  | 'outputTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
  | 'reasoningTokens'
  | 'inputTokensOfCall'
  | 'outputTokensOfCall'
  | 'cost'
  | 'agent'
  | 'tool'
  | 'mcpClient'
  | 'mcpServer'

/** One measured value. */
export type Point = readonly [measure: Measure, value: number, attributes: Attributes]

interface Form {
  readonly unit: string
  readonly description: string
  /** Those of a histogram. Default: it is a counter. */
  readonly boundaries?: readonly number[]
}

const series = (first: number, factor: number, length: number) =>
  Array.from({ length }, (_, power) => (first * 1_000 * factor ** power) / 1_000)

// As the conventions recommend them.
const SECONDS = series(0.01, 2, 14)
const AGENT_SECONDS = series(0.1, 2, 13)
const MCP_SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
const TOKENS = series(1, 4, 14)

const seconds = (description: string, boundaries = SECONDS): Form => ({ unit: 's', description, boundaries })
const tokens = (description: string, boundaries?: readonly number[]): Form => ({
  unit: '{token}',
  description,
  ...(boundaries && { boundaries }),
})

const FORMS: Readonly<Record<Measure, Form>> = {
  call: seconds('Duration of a call of a model.'),
  otherCall: seconds('Duration of a GenAI operation.'),
  firstChunk: seconds('Time to the first chunk of a streamed answer.'),
  perChunk: seconds('Time from one chunk of a streamed answer to the next.'),
  tokens: tokens('Tokens of a call, by type.', TOKENS),
  inputTokens: tokens('Input tokens.'),
  outputTokens: tokens('Output tokens.'),
  cacheReadTokens: tokens('Input tokens that were read from a cache.'),
  cacheWriteTokens: tokens('Input tokens that were written to a cache.'),
  reasoningTokens: tokens('Output tokens of reasoning.'),
  inputTokensOfCall: tokens('Input tokens of a call.', TOKENS),
  outputTokensOfCall: tokens('Output tokens of a call.', TOKENS),
  cost: { unit: '{USD}', description: 'Cost of calls, as far as they say it.' },
  agent: seconds('Duration of an invocation of an agent.', AGENT_SECONDS),
  tool: seconds('Duration of a run of a tool.'),
  mcpClient: seconds('Duration of an MCP request, as the client sees it.', MCP_SECONDS),
  mcpServer: seconds('Duration of an MCP request, as the server sees it.', MCP_SECONDS),
}

type Names = Readonly<Partial<Record<Measure, string>>>

const BOTH: Names = {
  otherCall: METRIC.OPERATION_DURATION,
  cost: METRIC.COST,
  agent: METRIC.INVOKE_AGENT_DURATION,
  tool: METRIC.EXECUTE_TOOL_DURATION,
  mcpClient: METRIC.MCP_CLIENT_DURATION,
  mcpServer: METRIC.MCP_SERVER_DURATION,
}

/** Names in the last release of the conventions, and since then. */
const NAMES: Readonly<Record<'released' | 'latest', Names>> = {
  released: {
    ...BOTH,
    call: METRIC.OPERATION_DURATION,
    firstChunk: METRIC.OPERATION_FIRST_CHUNK,
    perChunk: METRIC.OPERATION_PER_CHUNK,
    tokens: METRIC.TOKEN_USAGE,
  },
  latest: {
    ...BOTH,
    call: METRIC.INFERENCE_DURATION,
    firstChunk: METRIC.INFERENCE_FIRST_CHUNK,
    perChunk: METRIC.INFERENCE_PER_CHUNK,
    inputTokens: METRIC.INPUT_TOKENS,
    outputTokens: METRIC.OUTPUT_TOKENS,
    cacheReadTokens: METRIC.CACHE_READ_TOKENS,
    cacheWriteTokens: METRIC.CACHE_WRITE_TOKENS,
    reasoningTokens: METRIC.REASONING_TOKENS,
    inputTokensOfCall: METRIC.INPUT_TOKENS_OF_CALL,
    outputTokensOfCall: METRIC.OUTPUT_TOKENS_OF_CALL,
  },
}

/** The instruments of one meter provider, made as they are used: what is not measured has no metric. */
export class Instruments {
  readonly provider: MeterProvider
  readonly #meter: Meter
  readonly #names: Names
  readonly #made = new Map<string, (value: number, attributes: Attributes) => void>()

  constructor(provider: MeterProvider, isLatest: boolean) {
    this.provider = provider
    this.#meter = provider.getMeter('@svc/otel', VERSION)
    this.#names = NAMES[isLatest ? 'latest' : 'released']
  }

  record([measure, value, attributes]: Point): void {
    const name = this.#names[measure]
    if (name === undefined) return
    const record = this.#made.get(name) ?? this.#make(name, FORMS[measure])
    record(value, attributes)
  }

  #make(name: string, { boundaries, ...options }: Form): (value: number, attributes: Attributes) => void {
    const advice = boundaries && { explicitBucketBoundaries: [...boundaries] }
    const made: Counter | Histogram = advice
      ? this.#meter.createHistogram(name, { ...options, advice })
      : this.#meter.createCounter(name, options)
    const record = 'record' in made ? made.record.bind(made) : made.add.bind(made)
    this.#made.set(name, record)
    return record
  }
}

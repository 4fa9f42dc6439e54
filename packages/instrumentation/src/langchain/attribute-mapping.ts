import type { Attributes, AttributeValue, Tracer } from '@opentelemetry/api'
import type { DetailedCounts } from '../gen-ai/detailed-counts.ts'
import type { Fields } from '../gen-ai/read.ts'
import type { SpanFailure } from '../record/error.ts'
import type { LangChainMessage } from './messages.ts'

/** The request of a model run. */
export interface ModelRequest {
  /** The name that the application gave the run. */
  readonly runName: string | undefined
  /** The class of the model: `ChatOpenAI`. */
  readonly className: string | undefined
  /** Whether the input is messages, not text. */
  readonly chat: boolean
  readonly model: string | undefined
  readonly provider: string | undefined
  /** Parameters of the request other than its messages. */
  readonly parameters: Fields
  readonly messages: readonly LangChainMessage[]
}

export interface ModelResponse {
  /** Whether the output is messages, not text. */
  readonly chat: boolean
  readonly id?: string | undefined
  readonly model?: string | undefined
  readonly messages: readonly LangChainMessage[]
  readonly finishReasons: readonly string[]
  readonly counts?: DetailedCounts | undefined
  /** US dollars, if the provider reports it. */
  readonly cost?: number | undefined
  /** Parameters as served: `service_tier`, `speed`. */
  readonly served?: Readonly<Record<string, string>> | undefined
}

export interface ToolRequest {
  readonly name: string
  readonly callId: string | undefined
  readonly input: unknown
}

export interface SpanDescription {
  readonly name: string
  readonly attributes: Attributes
  /** Returns the content. Called only for recorded spans; empty if content is not recorded. */
  readonly content?: () => Attributes
}

/** Maps runs to attributes, without content if it is not to be recorded. */
export interface AttributeMapping {
  /** Attributes of an answer that are those which clients write, so that a client below may say them. */
  readonly ofClients: readonly string[]
  /** Returns the value of one of these in a form of its own. Default: as it is */
  ofClient?(name: string, value: AttributeValue): AttributeValue
  readonly chainAttributes: Attributes
  readonly retrieverAttributes: Attributes
  modelAttributes(request: ModelRequest): SpanDescription
  responseAttributes(response: ModelResponse): Attributes
  toolAttributes(request: ToolRequest): SpanDescription
  /** @param callId some versions know it only when the tool has ended */
  toolResultAttributes(result: unknown, callId: string | undefined): Attributes
  /** Returns the input of a run that is neither a model nor a tool. */
  inputAttributes(value: unknown): Attributes
  /** Returns the output of such a run. */
  outputAttributes(value: unknown): Attributes
  /** Returns whether metadata with this key is recorded. */
  storesMetadata(key: string): boolean
  describeError(error: unknown): SpanFailure
}

/** Options of a recorder: the preload's, or that of the application's handler. */
export interface RunRecorderOptions {
  readonly mapping: AttributeMapping
  getTracer(): Tracer
  /** Attributes that the application's handler sets on all its traces. */
  readonly trace?: TraceValues
  onRunEnd?(traceId: string): void
}

export interface TraceValues {
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly version?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

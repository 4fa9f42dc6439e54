/** Severity of an observation. Default: DEFAULT, or ERROR when the span failed. */
export type ObservationLevel = 'DEBUG' | 'DEFAULT' | 'WARNING' | 'ERROR'

/** Fields of every observation. Values that are undefined or null are not written. */
export interface SvcSpanAttributes {
  /** The input. A string is written unchanged, anything else as JSON. Its length is not limited. */
  input?: unknown
  /** The output; written like `input`. The root observation's input and output become those of the trace. */
  output?: unknown
  /**
   * Data to filter by. Each top-level key becomes one attribute with a JSON value, so numbers, booleans and strings
   * keep their type. Anything but an object is stored as one value. Keys beyond the attribute limit of the span (128 by
   * default) are dropped from the end, with a warning that names them.
   */
  metadata?: unknown
  /** Severity. Default: DEFAULT, or ERROR when the span failed. */
  level?: ObservationLevel | undefined
  /** Describes the outcome, for example the message of an error. */
  statusMessage?: string | undefined
  /** Version of the code, prompt or configuration that was used. */
  version?: string | undefined
  /** Environment of this observation only: at most 40 of `a-z 0-9 - _`. Takes precedence over every other setting. */
  environment?: string | undefined
}

/** A prompt of the service that a generation used. A prompt client can be passed directly. */
export interface PromptReference {
  /** Name of the prompt. */
  name: string
  /** Version of the prompt: an integer. */
  version: number
  /** True if the prompt did not come from the service, so that no link is recorded. */
  isFallback?: boolean | undefined
}

/** Token counts in the format of the OpenAI APIs. */
export interface OpenAiUsage {
  prompt_tokens?: number
  completion_tokens?: number
  input_tokens?: number
  output_tokens?: number
  total_tokens?: number
  prompt_tokens_details?: object | null
  completion_tokens_details?: object | null
  input_tokens_details?: object | null
  output_tokens_details?: object | null
}

/** Fields of observations of model calls: generations and embeddings. */
export interface SvcGenerationAttributes extends SvcSpanAttributes {
  /** When the model started to respond: the time of the first token of a stream. */
  completionStartTime?: Date | undefined
  /** Name of the model. */
  model?: string | undefined
  /** Parameters of the call: temperature, maximum number of tokens, … */
  modelParameters?: Readonly<Record<string, string | number>> | undefined
  /** Tokens (or other units) by type: `{ input: 12, output: 48 }`, or the usage object of an OpenAI API. */
  usageDetails?: Readonly<Record<string, number>> | OpenAiUsage | undefined
  /** Costs in US dollars by type: `{ input: 0.01, output: 0.02 }`. */
  costDetails?: Readonly<Record<string, number>> | undefined
  /** The prompt of the service that was used. Ignored for a fallback prompt. */
  prompt?: PromptReference | undefined
}

export type SvcEmbeddingAttributes = SvcGenerationAttributes
export type SvcEventAttributes = SvcSpanAttributes
export type SvcAgentAttributes = SvcSpanAttributes
export type SvcToolAttributes = SvcSpanAttributes
export type SvcChainAttributes = SvcSpanAttributes
export type SvcRetrieverAttributes = SvcSpanAttributes
export type SvcEvaluatorAttributes = SvcSpanAttributes
export type SvcGuardrailAttributes = SvcSpanAttributes

/** The fields of all kinds of observations. */
export type SvcObservationAttributes = SvcGenerationAttributes

/** The sets of fields; `KINDS` names one of them for each kind. */
export interface AttributeSets {
  span: SvcSpanAttributes
  generation: SvcGenerationAttributes
}

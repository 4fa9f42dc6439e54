/** How much an observation matters. Default: DEFAULT, or ERROR when the span failed. */
export type ObservationLevel = 'DEBUG' | 'DEFAULT' | 'WARNING' | 'ERROR'

/** Fields that every observation has. What is undefined or null is not written. */
export interface SvcSpanAttributes {
  /** What went in. A text stays as it is, anything else becomes JSON text. No limit of length. */
  input?: unknown
  /** What came out; written like `input`. The input and output of the root observation are those of the trace. */
  output?: unknown
  /**
   * Facts to filter by. Each top-level key becomes an attribute of its own, its value JSON text, so that numbers,
   * booleans and texts stay what they are. Anything but an object is kept as one value. Keys for which the span has no
   * room (128 attributes by default) are dropped from the end, with a warning that names them.
   */
  metadata?: unknown
  /** How much it matters. Default: DEFAULT, or ERROR when the span failed. */
  level?: ObservationLevel | undefined
  /** What there is to say about the outcome: the message of an error. */
  statusMessage?: string | undefined
  /** Version of the code, prompt or configuration at work. */
  version?: string | undefined
  /** Environment of this observation alone: at most 40 of `a-z 0-9 - _`. It wins over every other setting. */
  environment?: string | undefined
}

/** A prompt of the service that a generation was made with. A prompt client fits as it is. */
export interface PromptReference {
  /** Name of the prompt. */
  name: string
  /** Version of the prompt: a whole number. */
  version: number
  /** The prompt did not come from the service, so there is nothing to link to. */
  isFallback?: boolean | undefined
}

/** Token counts as the OpenAI APIs give them. */
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

/** Fields of an observation that stands for a call of a model: generations and embeddings. */
export interface SvcGenerationAttributes extends SvcSpanAttributes {
  /** When the model began to answer: the first token of a stream. */
  completionStartTime?: Date | undefined
  /** Name of the model. */
  model?: string | undefined
  /** Parameters of the call: temperature, largest number of tokens, … */
  modelParameters?: Readonly<Record<string, string | number>> | undefined
  /** Tokens (or other units) by kind: `{ input: 12, output: 48 }`, or the usage object of an OpenAI API. */
  usageDetails?: Readonly<Record<string, number>> | OpenAiUsage | undefined
  /** Costs in US dollars by kind: `{ input: 0.01, output: 0.02 }`. */
  costDetails?: Readonly<Record<string, number>> | undefined
  /** The prompt of the service that was used. Without effect when it is a fallback. */
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

/** Every field that some observation has. */
export type SvcObservationAttributes = SvcGenerationAttributes

/** The sets of fields among which the table of kinds chooses. */
export interface AttributeSets {
  span: SvcSpanAttributes
  generation: SvcGenerationAttributes
}

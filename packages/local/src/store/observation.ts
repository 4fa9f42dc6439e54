import type { Value } from './received.ts'

/** The types of observations (contract 5.3). */
export const OBSERVATION_TYPES = [
  'SPAN',
  'GENERATION',
  'EVENT',
  'EMBEDDING',
  'AGENT',
  'TOOL',
  'CHAIN',
  'RETRIEVER',
  'EVALUATOR',
  'GUARDRAIL',
] as const
export type ObservationType = (typeof OBSERVATION_TYPES)[number]

/** The levels of observations, in rising order. */
export const LEVELS = ['DEBUG', 'DEFAULT', 'WARNING', 'ERROR'] as const
export type Level = (typeof LEVELS)[number]

/** Environment of spans that name none. */
export const DEFAULT_ENVIRONMENT = 'default'

/** `root` 0: has a parent; 1: top-most span of an application whose parent is not exported; 2: root of its trace. */
export type RootRank = 0 | 1 | 2

/** The experiment item of a root observation, and its experiment (contract 2.2). */
export interface ExperimentItem {
  /** Id and name of the experiment. */
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** Nested keys are dotted paths. */
  readonly metadata: Readonly<Record<string, Value>> | null
  readonly datasetId: string | null
  readonly itemId: string
  /** ISO 8601: the version of the dataset that the item was read from. */
  readonly itemVersion: string | null
  readonly expectedOutput: Value
  /** Nested keys are dotted paths. */
  readonly itemMetadata: Readonly<Record<string, Value>> | null
}

/** An observation as it is stored: a mapped span (contract 5.4). */
export interface StoredObservation {
  readonly traceId: string
  readonly id: string
  readonly parentId: string | null
  readonly root: RootRank
  readonly type: ObservationType
  readonly name: string
  readonly level: Level
  readonly statusMessage: string | null
  /** Microseconds since 1970. */
  readonly startTime: number
  readonly endTime: number
  /** The time of the first token, in microseconds since 1970. */
  readonly completionStartTime: number | null
  readonly model: string | null
  readonly modelParameters: Readonly<Record<string, Value>>
  /** Text as it arrived, or JSON text. */
  readonly input: string | null
  readonly output: string | null
  readonly metadata: Readonly<Record<string, Value>>
  /** Tokens by kind. */
  readonly usage: Readonly<Record<string, number>>
  /** US dollars by kind. */
  readonly cost: Readonly<Record<string, number>>
  readonly promptName: string | null
  readonly promptVersion: number | null
  readonly environment: string
  readonly version: string | null
  readonly release: string | null
  readonly userId: string | null
  readonly sessionId: string | null
  readonly traceName: string | null
  readonly tags: readonly string[]
  readonly public: boolean
  /** The experiment item whose root this is; null for all others. */
  readonly experiment: ExperimentItem | null
}

/** A tool that a model could call. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string
  readonly parameters?: Value
}

/** A tool call that a model requested. */
export interface ToolCall {
  readonly id?: string
  readonly name: string
  /** As text. */
  readonly arguments?: string
}

/** The form in which the content of a message is shown: text with its media, a table of JSON, or nothing. */
export type Appearance = 'text' | 'table' | 'nothing'

/** A message as the chat view shows it. */
export interface ChatMessage {
  readonly role: string
  readonly content: Appearance
  /** Names of the tools that it calls. */
  readonly calls: readonly string[]
  /** The call that it answers. */
  readonly answers?: string
  readonly thinking: boolean
  /** Fields that are shown as a collapsed block of JSON only. */
  readonly collapsed: readonly string[]
}

/** One half of an observation in the chat view. */
export interface ChatHalf {
  /** The name of the service's reader that took it. */
  readonly adapter: string
  readonly messages: readonly ChatMessage[]
  /** Names of the tools that are shown. */
  readonly tools: readonly string[]
}

/** An observation in the chat view; a half that is no chat is null. */
export interface ChatView {
  readonly input: ChatHalf | null
  readonly output: ChatHalf | null
}

/** An observation as {@link LocalService.observations} gives it: times as ISO text, input and output decoded. */
export interface Observation
  extends Omit<StoredObservation, 'startTime' | 'endTime' | 'completionStartTime' | 'input' | 'output' | 'root'> {
  /** No parent, or the top-most exported span of its application. */
  readonly isRoot: boolean
  /** ISO 8601, milliseconds. */
  readonly startTime: string
  readonly endTime: string
  readonly completionStartTime: string | null
  /** Decoded where it is JSON text, else the text; null when there is none. */
  readonly input: unknown
  readonly output: unknown
  /** The tools that filters, counts and evaluators see: read from the input. */
  readonly toolDefinitions: readonly ToolDefinition[]
  /** The calls of tools that they see: read from the output. */
  readonly toolCalls: readonly ToolCall[]
  readonly chat: ChatView
}

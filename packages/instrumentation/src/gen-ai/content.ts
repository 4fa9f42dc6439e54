import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { toBoundedJson } from './bounded-json.ts'
import { capturesContent } from './configure.ts'

/** One piece of a message: text, a tool call, a tool's answer, a picture. */
export interface Part {
  readonly type: string
  readonly [field: string]: unknown
}

/** A message in the shape of the GenAI conventions. */
export interface Message {
  readonly role: string
  readonly parts: readonly Part[]
  readonly name?: string
  readonly finish_reason?: string
}

export interface Usage {
  /** All tokens of the prompt, cached ones included. */
  readonly input: number | undefined
  /** All tokens of the answer, those spent on reasoning included. */
  readonly output: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
  readonly reasoning?: number | undefined
}

/** What a model was asked. */
export interface RequestContent {
  readonly instructions?: readonly Part[]
  readonly messages?: readonly Message[]
  /** The definitions in the words of the provider. */
  readonly tools?: unknown
  /** What a tool was called with. */
  readonly input?: unknown
}

/** What a model answered. */
export interface ResponseContent {
  readonly id?: string | undefined
  readonly model?: string | undefined
  readonly finishReasons?: readonly string[]
  readonly messages?: readonly Message[]
  readonly usage?: Usage | undefined
  /** What a tool gave back. */
  readonly result?: unknown
  /** The provider's own word that it failed, in an answer that is otherwise fine. */
  readonly failure?: { readonly type: string; readonly message: string } | undefined
}

export function requestContentAttributes({ instructions, messages, tools, input }: RequestContent): Attributes {
  const attributes: Attributes = {}
  putJson(attributes, GEN_AI.SYSTEM_INSTRUCTIONS, instructions)
  putJson(attributes, GEN_AI.INPUT_MESSAGES, messages)
  putJson(attributes, GEN_AI.TOOL_DEFINITIONS, tools)
  putJson(attributes, GEN_AI.TOOL_CALL_ARGUMENTS, input)
  return attributes
}

export function responseAttributes(answer: ResponseContent): Attributes {
  const { id, model, finishReasons, messages, usage, result } = answer
  const attributes: Attributes = {}
  put(attributes, GEN_AI.RESPONSE_ID, id)
  put(attributes, GEN_AI.RESPONSE_MODEL, model)
  if (finishReasons?.length) attributes[GEN_AI.RESPONSE_FINISH_REASONS] = finishReasons.slice(0, 128)
  put(attributes, GEN_AI.USAGE_INPUT_TOKENS, usage?.input)
  put(attributes, GEN_AI.USAGE_OUTPUT_TOKENS, usage?.output)
  put(attributes, GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS, usage?.cacheRead)
  put(attributes, GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS, usage?.cacheWrite)
  put(attributes, GEN_AI.USAGE_REASONING_OUTPUT_TOKENS, usage?.reasoning)
  if (!capturesContent()) return attributes
  if (messages?.length) putJson(attributes, GEN_AI.OUTPUT_MESSAGES, messages)
  putJson(attributes, GEN_AI.TOOL_CALL_RESULT, result)
  return attributes
}

// Once for each field of each call: an object is filled rather than copied.
function put(attributes: Attributes, name: string, value: string | number | undefined): void {
  if (value !== undefined) attributes[name] = value
}

function putJson(attributes: Attributes, name: string, value: unknown): void {
  if (value !== undefined) attributes[name] = toBoundedJson(value)
}

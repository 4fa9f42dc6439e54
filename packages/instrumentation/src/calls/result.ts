import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { toBoundedJson } from './bounded-json.ts'
import { capturesContent } from './configure.ts'
import { defined } from './read.ts'

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
export interface Question {
  readonly instructions?: readonly Part[]
  readonly messages?: readonly Message[]
  /** The definitions in the words of the provider. */
  readonly tools?: unknown
}

/** What a model answered. */
export interface Answer {
  readonly id?: string | undefined
  readonly model?: string | undefined
  readonly finishReasons?: readonly string[]
  readonly messages?: readonly Message[]
  readonly usage?: Usage | undefined
  /** The provider's own word that it failed, in an answer that is otherwise fine. */
  readonly failure?: { readonly type: string; readonly message: string } | undefined
}

export function questionAttributes({ instructions, messages, tools }: Question): Attributes {
  const json = (value: unknown) => (value === undefined ? undefined : toBoundedJson(value))
  return defined({
    [GEN_AI.SYSTEM_INSTRUCTIONS]: json(instructions),
    [GEN_AI.INPUT_MESSAGES]: json(messages),
    [GEN_AI.TOOL_DEFINITIONS]: json(tools),
  })
}

export function answerAttributes({ id, model, finishReasons = [], messages = [], usage }: Answer): Attributes {
  return defined({
    [GEN_AI.RESPONSE_ID]: id,
    [GEN_AI.RESPONSE_MODEL]: model,
    [GEN_AI.RESPONSE_FINISH_REASONS]: finishReasons.length > 0 ? finishReasons.slice(0, 128) : undefined,
    [GEN_AI.USAGE_INPUT_TOKENS]: usage?.input,
    [GEN_AI.USAGE_OUTPUT_TOKENS]: usage?.output,
    [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: usage?.cacheRead,
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: usage?.cacheWrite,
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: usage?.reasoning,
    [GEN_AI.OUTPUT_MESSAGES]: messages.length > 0 && capturesContent() ? toBoundedJson(messages) : undefined,
  })
}

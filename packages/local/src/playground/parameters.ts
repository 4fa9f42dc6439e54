import { isFields } from '@svc/core/json'
import { own } from '@svc/core/own'
import { decodedExactly } from '../json-text.ts'
import type { Json } from './vendors.ts'

/** Recorded parameters with lists, objects and booleans as such: a span has them as text. */
export function decodeParameters(recorded: Json): Json {
  const read = (value: unknown) =>
    typeof value === 'string' && /^(?:[[{]|(?:true|false)$)/.test(value) ? decodedExactly(value) : value
  return Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, read(value)]))
}

/** What a vendor calls a recorded parameter; null where it has none. Other names stay. */
type Names = Readonly<Record<string, string | null>>

/** What is said of a call, and never asked. */
const SAID: Names = {
  ...{ stream: null, stream_options: null, 'output.type': null, encoding_formats: null },
  ...{ maxSteps: null, maxRetries: null, mode: null, finishReason: null, system: null },
  ...{ maxTokens: 'max_tokens', toolChoice: 'tool_choice' },
}
const OPENAI: Names = {
  ...SAID,
  ...{ stop_sequences: 'stop', 'choice.count': 'n', 'reasoning.level': 'reasoning_effort' },
  ...{ thinking: null, top_k: null },
}
const ANTHROPIC: Names = {
  ...SAID,
  ...{ stop: 'stop_sequences', n: null, 'choice.count': null, 'reasoning.level': null, reasoning_effort: null },
  ...{ seed: null, frequency_penalty: null, presence_penalty: null, logit_bias: null, logprobs: null },
  ...{ top_logprobs: null, parallel_tool_calls: null, user: null },
}

function renamed(parameters: Json, names: Names): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => {
      const called = own(names, name)
      return called === null ? [] : [[called ?? name, value]]
    }),
  )
}

/** Parameters as the chat completions of OpenAI have them, whichever API they were recorded of. */
export function openaiParameters(parameters: Json, hasTools: boolean): Json {
  const {
    response_format: format,
    tool_choice: choice,
    parallel_tool_calls: parallel,
    ...rest
  } = renamed(parameters, OPENAI)
  return {
    ...rest,
    ...(isFields(format) ? { response_format: nestedFormat(format) } : {}),
    // Without tools they are refused.
    ...(hasTools && choice !== undefined ? { tool_choice: nestedChoice(choice) } : {}),
    ...(hasTools && parallel !== undefined ? { parallel_tool_calls: parallel } : {}),
  }
}

function nestedFormat(format: Json): Json {
  const { type, schema, name = 'answer', ...more } = format
  return type === 'json_schema' && schema !== undefined ? { type, json_schema: { name, schema, ...more } } : format
}

function nestedChoice(choice: unknown): unknown {
  if (!isFields(choice)) return choice
  if (choice.type === 'any') return 'required'
  if (choice.type === 'auto' || choice.type === 'none') return choice.type
  return typeof choice.name === 'string' ? { type: 'function', function: { name: choice.name } } : choice
}

/** Parameters as the messages of Anthropic have them. */
export function anthropicParameters(parameters: Json, hasTools: boolean): Json {
  const { response_format: format, tool_choice: choice, ...rest } = renamed(parameters, ANTHROPIC)
  const { schema } = isFields(format) ? { ...format, ...(isFields(format.json_schema) ? format.json_schema : {}) } : {}
  return {
    ...rest,
    ...(schema === undefined ? {} : { output_config: { format: { type: 'json_schema', schema } } }),
    ...(hasTools && choice !== undefined ? { tool_choice: flatChoice(choice) } : {}),
  }
}

function flatChoice(choice: unknown): unknown {
  if (typeof choice === 'string') return { type: choice === 'required' ? 'any' : choice }
  if (!isFields(choice) || choice.type !== 'function') return choice
  const { name } = isFields(choice.function) ? choice.function : choice
  return { type: 'tool', name }
}

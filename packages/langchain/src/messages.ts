import { type LangChainMessage, toSimpleMessage } from '@svc/instrumentation/langchain'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns a message in the format of version 5: `{role, content}`, with tool calls as the provider returned them, or
 * else as LangChain parsed them. Other fields of the provider are kept for the result of a tool and for calls that
 * LangChain could not parse.
 */
export function asMessage(message: LangChainMessage): Fields {
  const { tool_calls: _, ...simple } = toSimpleMessage(message)
  const { additional = {} } = message
  const calls = callsOf(message)
  const isKept = calls.length === 0 && (isAnswer(message) || additional.function_call)
  return {
    ...simple,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(isKept && Object.keys(additional).length > 0 ? { additional_kwargs: additional } : {}),
  }
}

function callsOf({ toolCalls, additional = {} }: LangChainMessage): readonly unknown[] {
  const { tool_calls, function_call } = additional
  if (Array.isArray(tool_calls) && tool_calls.length > 0) return tool_calls
  return function_call ? [] : toolCalls
}

function isAnswer({ type }: LangChainMessage): boolean {
  return type === 'tool' || type === 'function'
}

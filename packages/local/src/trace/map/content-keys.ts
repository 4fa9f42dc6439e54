import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'

const KEYS: ReadonlySet<string> = new Set([
  ATTRIBUTE.OBSERVATION_INPUT,
  ATTRIBUTE.OBSERVATION_OUTPUT,
  ATTRIBUTE.TRACE_INPUT,
  ATTRIBUTE.TRACE_OUTPUT,
  GEN_AI.INPUT_MESSAGES,
  GEN_AI.OUTPUT_MESSAGES,
  GEN_AI.SYSTEM_INSTRUCTIONS,
  GEN_AI.TOOL_CALL_ARGUMENTS,
  GEN_AI.TOOL_CALL_RESULT,
  `${GEN_AI.PREFIX}prompt`,
  `${GEN_AI.PREFIX}completion`,
  ...['genkit:input', 'genkit:output'],
  ...['ai.prompt.messages', 'ai.prompt', 'ai.toolCall.args', 'ai.toolCall.result'],
  ...['ai.response.text', 'ai.response.object', 'ai.response.toolCalls'],
  ...['ai.result.text', 'ai.result.object', 'ai.result.toolCalls'],
  ...['gcp.vertex.agent.llm_request', 'gcp.vertex.agent.llm_response'],
  ...['gcp.vertex.agent.tool_call_args', 'gcp.vertex.agent.tool_response'],
  ...['prompt', 'all_messages_events', 'events', 'input', 'output', 'input.value', 'output.value'],
  ...['lk.input_text', 'lk.user_transcript', 'lk.chat_ctx', 'lk.function_tool.output', 'lk.response.text'],
  ...['mlflow.spanInputs', 'mlflow.spanOutputs', 'traceloop.entity.input', 'traceloop.entity.output'],
  ...['pydantic_ai.all_messages', 'final_result', 'tool_arguments', 'tool_response'],
])

const PREFIXES = [GEN_AI.PROMPT_PREFIX, GEN_AI.COMPLETION_PREFIX, 'llm.input_messages.', 'llm.output_messages.']

/** Whether an attribute can become input or output. Such a one is never kept as metadata, even where it became neither. */
export function isContent(key: string): boolean {
  return KEYS.has(key) || PREFIXES.some((prefix) => key.startsWith(prefix))
}

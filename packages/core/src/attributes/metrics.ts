// The names of GenAI metrics and of attributes that only they have. Each is an export of its own, so that bundles contain
// those that they use. The names in two generations of the conventions: docs/decisions/conventions.md.

// OpenTelemetry's semantic conventions 1.41, the last release with GenAI

export const TOKEN_USAGE = 'gen_ai.client.token.usage'
export const OPERATION_DURATION = 'gen_ai.client.operation.duration'
export const OPERATION_FIRST_CHUNK = 'gen_ai.client.operation.time_to_first_chunk'
export const OPERATION_PER_CHUNK = 'gen_ai.client.operation.time_per_output_chunk'
export const MCP_CLIENT_DURATION = 'mcp.client.operation.duration'
export const MCP_SERVER_DURATION = 'mcp.server.operation.duration'

// The conventions since then, without a release

export const INFERENCE_DURATION = 'gen_ai.client.inference.duration'
export const INFERENCE_FIRST_CHUNK = 'gen_ai.client.inference.time_to_first_chunk'
export const INFERENCE_PER_CHUNK = 'gen_ai.client.inference.time_per_output_chunk'
export const INPUT_TOKENS = 'gen_ai.client.inference.usage.input_tokens'
export const OUTPUT_TOKENS = 'gen_ai.client.inference.usage.output_tokens'
export const CACHE_READ_TOKENS = 'gen_ai.client.inference.usage.cache_read.input_tokens'
export const CACHE_WRITE_TOKENS = 'gen_ai.client.inference.usage.cache_write.input_tokens'
export const REASONING_TOKENS = 'gen_ai.client.inference.usage.reasoning.output_tokens'
export const INPUT_TOKENS_OF_CALL = 'gen_ai.client.inference.operation.input_tokens'
export const OUTPUT_TOKENS_OF_CALL = 'gen_ai.client.inference.operation.output_tokens'
export const INVOKE_AGENT_DURATION = 'gen_ai.invoke_agent.duration'
export const EXECUTE_TOOL_DURATION = 'gen_ai.execute_tool.duration'

/** The conventions have no cost. */
export const COST = 'svc.client.cost'

// Attributes

export const TOKEN_TYPE = 'gen_ai.token.type'
export const TOKEN_MODALITY = 'gen_ai.token.modality'
export const OPENAI_SERVICE_TIER = 'openai.response.service_tier'
/** The conventions know the tier of OpenAI only. */
export const SERVICE_TIER = 'svc.response.service_tier'
export const RPC_STATUS_CODE = 'rpc.response.status_code'
/** Seconds to the first chunk of a call, and between its chunks. Stays in the process. */
export const CHUNK_TIMES = 'svc.internal.chunk_times'
/** The provider in the conventions up to 1.36. Read only. */
export const SYSTEM = 'gen_ai.system'
/** The value of an attribute beyond its bound, and of a required one that is not known. */
export const OTHER = '_OTHER'

/**
 * All names of span attributes, HTTP headers and baggage keys. Sources: the SDK contract (sections 1.2, 2.2, 2.5) and
 * the OpenTelemetry GenAI semantic conventions.
 */
export const ATTRIBUTE = {
  TRACE_NAME: 'svc.trace.name',
  TRACE_USER_ID: 'user.id',
  TRACE_SESSION_ID: 'session.id',
  TRACE_TAGS: 'svc.trace.tags',
  TRACE_PUBLIC: 'svc.trace.public',
  TRACE_METADATA: 'svc.trace.metadata',
  TRACE_INPUT: 'svc.trace.input',
  TRACE_OUTPUT: 'svc.trace.output',
  OBSERVATION_TYPE: 'svc.observation.type',
  OBSERVATION_METADATA: 'svc.observation.metadata',
  OBSERVATION_LEVEL: 'svc.observation.level',
  OBSERVATION_STATUS_MESSAGE: 'svc.observation.status_message',
  OBSERVATION_INPUT: 'svc.observation.input',
  OBSERVATION_OUTPUT: 'svc.observation.output',
  OBSERVATION_COMPLETION_START_TIME: 'svc.observation.completion_start_time',
  OBSERVATION_MODEL: 'svc.observation.model.name',
  OBSERVATION_MODEL_PARAMETERS: 'svc.observation.model.parameters',
  OBSERVATION_USAGE_DETAILS: 'svc.observation.usage_details',
  OBSERVATION_COST_DETAILS: 'svc.observation.cost_details',
  OBSERVATION_PROMPT_NAME: 'svc.observation.prompt.name',
  OBSERVATION_PROMPT_VERSION: 'svc.observation.prompt.version',
  ENVIRONMENT: 'svc.environment',
  RELEASE: 'svc.release',
  VERSION: 'svc.version',
  AS_ROOT: 'svc.internal.as_root',
  IS_APP_ROOT: 'svc.internal.is_app_root',
  EXPERIMENT_ID: 'svc.experiment.id',
  EXPERIMENT_NAME: 'svc.experiment.name',
  EXPERIMENT_DESCRIPTION: 'svc.experiment.description',
  EXPERIMENT_METADATA: 'svc.experiment.metadata',
  EXPERIMENT_DATASET_ID: 'svc.experiment.dataset.id',
  EXPERIMENT_ITEM_ID: 'svc.experiment.item.id',
  EXPERIMENT_ITEM_VERSION: 'svc.experiment.item.version',
  EXPERIMENT_ITEM_EXPECTED_OUTPUT: 'svc.experiment.item.expected_output',
  EXPERIMENT_ITEM_METADATA: 'svc.experiment.item.metadata',
  EXPERIMENT_ITEM_ROOT_OBSERVATION_ID: 'svc.experiment.item.root_observation_id',
  /** Read by the service only. */
  TRACE_COMPAT_USER_ID: 'svc.user.id',
  /** Read by the service only. */
  TRACE_COMPAT_SESSION_ID: 'svc.session.id',
  /** Read by the service only. */
  COMPAT_TAGS: 'svc.tags',
  /** Read by the service only. */
  COMPAT_PUBLIC: 'svc.public',
  /** Read by the service only. */
  COMPAT_METADATA: 'svc.metadata',
  /** Read by the service only. */
  COMPAT_PROMPT_NAME: 'svc.prompt.name',
  /** Read by the service only. */
  COMPAT_PROMPT_VERSION: 'svc.prompt.version',
} as const
export type ATTRIBUTE = (typeof ATTRIBUTE)[keyof typeof ATTRIBUTE]

/** OpenTelemetry GenAI semantic conventions, as far as this project writes or reads them. */
export const GEN_AI = {
  PREFIX: 'gen_ai.',
  OPERATION_NAME: 'gen_ai.operation.name',
  PROVIDER_NAME: 'gen_ai.provider.name',
  REQUEST_MODEL: 'gen_ai.request.model',
  REQUEST_PREFIX: 'gen_ai.request.',
  REQUEST_STREAM: 'gen_ai.request.stream',
  REQUEST_TEMPERATURE: 'gen_ai.request.temperature',
  REQUEST_TOP_P: 'gen_ai.request.top_p',
  REQUEST_TOP_K: 'gen_ai.request.top_k',
  REQUEST_MAX_TOKENS: 'gen_ai.request.max_tokens',
  REQUEST_FREQUENCY_PENALTY: 'gen_ai.request.frequency_penalty',
  REQUEST_PRESENCE_PENALTY: 'gen_ai.request.presence_penalty',
  REQUEST_SEED: 'gen_ai.request.seed',
  REQUEST_STOP_SEQUENCES: 'gen_ai.request.stop_sequences',
  REQUEST_CHOICE_COUNT: 'gen_ai.request.choice.count',
  REQUEST_REASONING_LEVEL: 'gen_ai.request.reasoning.level',
  EMBEDDINGS_DIMENSION_COUNT: 'gen_ai.embeddings.dimension.count',
  OUTPUT_TYPE: 'gen_ai.output.type',
  RESPONSE_MODEL: 'gen_ai.response.model',
  RESPONSE_ID: 'gen_ai.response.id',
  RESPONSE_FINISH_REASONS: 'gen_ai.response.finish_reasons',
  RESPONSE_TIME_TO_FIRST_CHUNK: 'gen_ai.response.time_to_first_chunk',
  /** The AI SDK 7 writes this instead. Read only. */
  CLIENT_TIME_TO_FIRST_CHUNK: 'gen_ai.client.operation.time_to_first_chunk',
  CLIENT_DURATION: 'gen_ai.client.operation.duration',
  CLIENT_TIME_PER_OUTPUT_CHUNK: 'gen_ai.client.operation.time_per_output_chunk',
  CLIENT_INFERENCE_DURATION: 'gen_ai.client.inference.duration',
  EXECUTE_TOOL_DURATION: 'gen_ai.execute_tool.duration',
  INPUT_MESSAGES: 'gen_ai.input.messages',
  OUTPUT_MESSAGES: 'gen_ai.output.messages',
  SYSTEM_INSTRUCTIONS: 'gen_ai.system_instructions',
  TOOL_DEFINITIONS: 'gen_ai.tool.definitions',
  AGENT_NAME: 'gen_ai.agent.name',
  TOOL_NAME: 'gen_ai.tool.name',
  TOOL_TYPE: 'gen_ai.tool.type',
  TOOL_CALL_ID: 'gen_ai.tool.call.id',
  TOOL_CALL_ARGUMENTS: 'gen_ai.tool.call.arguments',
  TOOL_CALL_RESULT: 'gen_ai.tool.call.result',
  CONVERSATION_ID: 'gen_ai.conversation.id',
  DATA_SOURCE_ID: 'gen_ai.data_source.id',
  RETRIEVAL_QUERY_TEXT: 'gen_ai.retrieval.query.text',
  RETRIEVAL_DOCUMENTS: 'gen_ai.retrieval.documents',
  /** Older conventions: `gen_ai.prompt.0.content`. Read only. */
  PROMPT_PREFIX: 'gen_ai.prompt.',
  /** Older conventions: `gen_ai.completion.0.content`. Read only. */
  COMPLETION_PREFIX: 'gen_ai.completion.',
  USAGE_PREFIX: 'gen_ai.usage.',
  USAGE_INPUT_TOKENS: 'gen_ai.usage.input_tokens',
  USAGE_OUTPUT_TOKENS: 'gen_ai.usage.output_tokens',
  USAGE_CACHE_READ_INPUT_TOKENS: 'gen_ai.usage.cache_read.input_tokens',
  USAGE_CACHE_CREATION_INPUT_TOKENS: 'gen_ai.usage.cache_creation.input_tokens',
  /** Some instrumentations write this instead of cache_creation. Read only. */
  USAGE_CACHE_WRITE_INPUT_TOKENS: 'gen_ai.usage.cache_write.input_tokens',
  USAGE_REASONING_OUTPUT_TOKENS: 'gen_ai.usage.reasoning.output_tokens',
} as const

/** OpenTelemetry semantic conventions for the Model Context Protocol. */
export const MCP = { METHOD_NAME: 'mcp.method.name' } as const

/** General OpenTelemetry semantic conventions. */
export const GENERAL = {
  ERROR_TYPE: 'error.type',
  ERROR_MESSAGE: 'error.message',
  EXCEPTION_TYPE: 'exception.type',
  EXCEPTION_MESSAGE: 'exception.message',
  EXCEPTION_STACKTRACE: 'exception.stacktrace',
  HTTP_REQUEST_METHOD: 'http.request.method',
  HTTP_RESPONSE_STATUS_CODE: 'http.response.status_code',
  HTTP_ROUTE: 'http.route',
  URL_PATH: 'url.path',
  SERVER_ADDRESS: 'server.address',
  SERVER_PORT: 'server.port',
} as const

/** HTTP headers of span export. Lower case: HTTP header names compare case-insensitively. */
export const HEADER = {
  AUTHORIZATION: 'authorization',
  SDK_NAME: 'x-svc-sdk-name',
  SDK_VERSION: 'x-svc-sdk-version',
  SDK_VARIANT: 'x-svc-sdk-variant',
  SDK_INTEGRATION: 'x-svc-sdk-integration',
  PUBLIC_KEY: 'x-svc-public-key',
  INGESTION_VERSION: 'x-svc-ingestion-version',
} as const

/** HTTP headers of an application that our adapters serve. */
export const APP_HEADER = {
  /** The trace id of a response, so that a client can score it. Sent only if the application enables it. */
  TRACE_ID: 'x-svc-trace-id',
  /** The signed user of a request, from the proxy of an application to its routes. */
  IDENTITY: 'x-svc-identity',
} as const

/** Baggage keys that carry propagated values to other processes. `METADATA_PREFIX` is followed by the metadata key. */
export const BAGGAGE = {
  PREFIX: 'svc_',
  TRACE_ID: 'svc_trace_id',
  METADATA_PREFIX: 'svc_metadata_',
  TAGS: 'svc_tags',
  ENVIRONMENT: 'svc_environment',
  PROMPT_VERSION: 'svc_prompt_version',
} as const

/**
 * Baggage key → span attribute, for values that are copied unchanged. Marked pure, so that bundles that do not use it
 * leave out the attribute names, too.
 */
export const BAGGAGE_ATTRIBUTES: Readonly<Record<string, string>> = /* @__PURE__ */ (() => ({
  svc_user_id: ATTRIBUTE.TRACE_USER_ID,
  svc_session_id: ATTRIBUTE.TRACE_SESSION_ID,
  svc_version: ATTRIBUTE.VERSION,
  svc_trace_name: ATTRIBUTE.TRACE_NAME,
  svc_environment: ATTRIBUTE.ENVIRONMENT,
  svc_tags: ATTRIBUTE.TRACE_TAGS,
  svc_prompt_name: ATTRIBUTE.OBSERVATION_PROMPT_NAME,
  svc_prompt_version: ATTRIBUTE.OBSERVATION_PROMPT_VERSION,
  svc_experiment_id: ATTRIBUTE.EXPERIMENT_ID,
  svc_experiment_name: ATTRIBUTE.EXPERIMENT_NAME,
  svc_experiment_metadata: ATTRIBUTE.EXPERIMENT_METADATA,
  svc_experiment_dataset_id: ATTRIBUTE.EXPERIMENT_DATASET_ID,
  svc_experiment_item_id: ATTRIBUTE.EXPERIMENT_ITEM_ID,
  svc_experiment_item_metadata: ATTRIBUTE.EXPERIMENT_ITEM_METADATA,
  svc_experiment_item_root_observation_id: ATTRIBUTE.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID,
}))()

/** Instrumentation scope of Next's own spans. */
export const NEXT_SCOPE = 'next.js'
/** Their attribute with the route of a request: `/api/chats/[id]`. */
export const NEXT_ROUTE = 'next.route'

/** Attributes of Sentry's spans: the operation, and the part of Sentry that created the span. */
export const SENTRY = { OP: 'sentry.op', ORIGIN: 'sentry.origin' } as const

/** Instrumentation scope of spans made by the service SDK itself. */
export const SDK_SCOPE = 'svc-sdk'
/** Value of `x-svc-sdk-name`. */
export const SDK_NAME = 'javascript'
/** Environment of spans that belong to an experiment. */
export const EXPERIMENT_ENVIRONMENT = 'sdk-experiment'

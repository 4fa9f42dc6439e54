import * as ATTRIBUTE from './service.ts'

// The names of attributes.ts that are not in a table.

/** OpenTelemetry semantic conventions for the Model Context Protocol. */
export const MCP = {
  METHOD_NAME: 'mcp.method.name',
  SESSION_ID: 'mcp.session.id',
  RESOURCE_URI: 'mcp.resource.uri',
} as const

/** HTTP headers of an application that our adapters serve. */
export const APP_HEADER = {
  /** The trace id of a response, so that a client can score it. Sent only if the application enables it. */
  TRACE_ID: 'x-svc-trace-id',
  /** The signed user of a request, from the proxy of an application to its routes. */
  IDENTITY: 'x-svc-identity',
} as const

/**
 * Baggage key → span attribute, for values that are copied unchanged. Marked pure, so that bundles that do not use it
 * leave out the attribute names, too.
 */
export const BAGGAGE_ATTRIBUTES: Readonly<Record<string, string>> = /* @__PURE__ */ (() => ({
  svc_user_id: ATTRIBUTE.TRACE_USER_ID,
  svc_session_id: ATTRIBUTE.TRACE_SESSION_ID,
  svc_tags: ATTRIBUTE.TRACE_TAGS,
  svc_prompt_name: ATTRIBUTE.OBSERVATION_PROMPT_NAME,
  svc_prompt_version: ATTRIBUTE.OBSERVATION_PROMPT_VERSION,
  ...Object.fromEntries(
    [
      ATTRIBUTE.ENVIRONMENT,
      ATTRIBUTE.TRACE_NAME,
      ATTRIBUTE.VERSION,
      ATTRIBUTE.EXPERIMENT_ID,
      ATTRIBUTE.EXPERIMENT_NAME,
      ATTRIBUTE.EXPERIMENT_METADATA,
      ATTRIBUTE.EXPERIMENT_DATASET_ID,
      ATTRIBUTE.EXPERIMENT_ITEM_ID,
      ATTRIBUTE.EXPERIMENT_ITEM_METADATA,
      ATTRIBUTE.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID,
    ].map((name) => [name.replaceAll('.', '_'), name]),
  ),
}))()

/** What was received of each request of a call, as JSON. Ours alone, and never sent beyond this machine. */
export const RAW_ANSWERS = 'svc.raw.answers'

/** Instrumentation scope of Next's own spans. */
export const NEXT_SCOPE = 'next.js'

/** Attributes of Sentry's spans: the operation, and the part of Sentry that created the span. */
export const SENTRY = { OP: 'sentry.op', ORIGIN: 'sentry.origin' } as const

/** Instrumentation scope of spans made by the service SDK itself. */
export const SDK_SCOPE = 'svc-sdk'
/** Value of `x-svc-sdk-name`. */
export const SDK_NAME = 'javascript'
/** Environment of spans that belong to an experiment. */
export const EXPERIMENT_ENVIRONMENT = 'sdk-experiment'

// The names of `BAGGAGE` in attributes.ts. Each is an export of its own, so that bundles contain those that they use.

export const PREFIX = 'svc_'
export const TRACE_ID = 'svc_trace_id'
export const METADATA_PREFIX = 'svc_metadata_'
export const TAGS = 'svc_tags'
export const ENVIRONMENT = 'svc_environment'
export const PROMPT_VERSION = 'svc_prompt_version'

// The names of `ATTRIBUTE` in attributes.ts. Each is an export of its own, so that bundles contain those that they use.

export const TRACE_NAME = 'svc.trace.name'
export const TRACE_USER_ID = 'user.id'
export const TRACE_SESSION_ID = 'session.id'
export const TRACE_TAGS = 'svc.trace.tags'
export const TRACE_PUBLIC = 'svc.trace.public'
export const TRACE_METADATA = 'svc.trace.metadata'
export const TRACE_INPUT = 'svc.trace.input'
export const TRACE_OUTPUT = 'svc.trace.output'
export const OBSERVATION_TYPE = 'svc.observation.type'
export const OBSERVATION_METADATA = 'svc.observation.metadata'
export const OBSERVATION_LEVEL = 'svc.observation.level'
export const OBSERVATION_STATUS_MESSAGE = 'svc.observation.status_message'
export const OBSERVATION_INPUT = 'svc.observation.input'
export const OBSERVATION_OUTPUT = 'svc.observation.output'
export const OBSERVATION_COMPLETION_START_TIME = 'svc.observation.completion_start_time'
export const OBSERVATION_MODEL = 'svc.observation.model.name'
export const OBSERVATION_MODEL_PARAMETERS = 'svc.observation.model.parameters'
export const OBSERVATION_USAGE_DETAILS = 'svc.observation.usage_details'
export const OBSERVATION_COST_DETAILS = 'svc.observation.cost_details'
export const OBSERVATION_PROMPT_NAME = 'svc.observation.prompt.name'
export const OBSERVATION_PROMPT_VERSION = 'svc.observation.prompt.version'
/** What was received of each request of a call, as JSON. Ours alone, and never sent beyond this machine. */
export const RAW_ANSWERS = 'svc.raw.answers'
export const ENVIRONMENT = 'svc.environment'
export const RELEASE = 'svc.release'
export const VERSION = 'svc.version'
export const AS_ROOT = 'svc.internal.as_root'
export const IS_APP_ROOT = 'svc.internal.is_app_root'
export const EXPERIMENT_ID = 'svc.experiment.id'
export const EXPERIMENT_NAME = 'svc.experiment.name'
export const EXPERIMENT_DESCRIPTION = 'svc.experiment.description'
export const EXPERIMENT_METADATA = 'svc.experiment.metadata'
export const EXPERIMENT_DATASET_ID = 'svc.experiment.dataset.id'
export const EXPERIMENT_ITEM_ID = 'svc.experiment.item.id'
export const EXPERIMENT_ITEM_VERSION = 'svc.experiment.item.version'
export const EXPERIMENT_ITEM_EXPECTED_OUTPUT = 'svc.experiment.item.expected_output'
export const EXPERIMENT_ITEM_METADATA = 'svc.experiment.item.metadata'
export const EXPERIMENT_ITEM_ROOT_OBSERVATION_ID = 'svc.experiment.item.root_observation_id'
/** Read by the service only. */
export const TRACE_COMPAT_USER_ID = 'svc.user.id'
/** Read by the service only. */
export const TRACE_COMPAT_SESSION_ID = 'svc.session.id'
/** Read by the service only. */
export const COMPAT_TAGS = 'svc.tags'
/** Read by the service only. */
export const COMPAT_PUBLIC = 'svc.public'
/** Read by the service only. */
export const COMPAT_METADATA = 'svc.metadata'
/** Read by the service only. */
export const COMPAT_PROMPT_NAME = 'svc.prompt.name'
/** Read by the service only. */
export const COMPAT_PROMPT_VERSION = 'svc.prompt.version'

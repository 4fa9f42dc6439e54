// The names of `GENERAL` in attributes.ts. Each is an export of its own, so that bundles contain those that they use.

export const ERROR_TYPE = 'error.type'
export const ERROR_MESSAGE = 'error.message'
export const EXCEPTION_TYPE = 'exception.type'
export const EXCEPTION_MESSAGE = 'exception.message'
export const EXCEPTION_STACKTRACE = 'exception.stacktrace'
export const HTTP_REQUEST_METHOD = 'http.request.method'
export const HTTP_RESPONSE_STATUS_CODE = 'http.response.status_code'
export const HTTP_ROUTE = 'http.route'
export const URL_PATH = 'url.path'
export const FAAS_COLDSTART = 'faas.coldstart'
export const FAAS_INVOCATION_ID = 'faas.invocation_id'
export const FAAS_TRIGGER = 'faas.trigger'
export const CLOUD_RESOURCE_ID = 'cloud.resource_id'
export const SERVER_ADDRESS = 'server.address'
export const SERVER_PORT = 'server.port'

/** Metadata that other instrumentations write for the service. Read only. */
export const FOREIGN_METADATA = 'svc.metadata'

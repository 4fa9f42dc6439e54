// The names of `HEADER` in attributes.ts. Each is an export of its own, so that bundles contain those that they use.

export const AUTHORIZATION = 'authorization'
export const SDK_NAME = 'x-svc-sdk-name'
export const SDK_VERSION = 'x-svc-sdk-version'
export const SDK_VARIANT = 'x-svc-sdk-variant'
export const SDK_INTEGRATION = 'x-svc-sdk-integration'
export const PUBLIC_KEY = 'x-svc-public-key'
export const INGESTION_VERSION = 'x-svc-ingestion-version'

/*
 * What records calls, beside the patches and edits of libraries. In the published bundle of `@svc/register` each is a file
 * of its own, which is loaded with the first call.
 */
export { createGlobalIntegration } from './ai-sdk/svc-integration.ts'
export { createBedrockHooks } from './bedrock/adoption.ts'
export { type RecordRequest, recordRequest, type WireKind, type WireRules } from './wire/record-request.ts'
export { followWebFetch } from './wire/web-fetch.ts'

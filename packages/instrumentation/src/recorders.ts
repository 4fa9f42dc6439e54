/*
 * Everything that records the calls of a library. In the published bundle of `@svc/register` it is a file of its own, which
 * is loaded with the first of them.
 */
export { createGlobalIntegration } from './ai-sdk/svc-integration.ts'
export { bedrockHooks } from './bedrock/adoption.ts'
export { EDITS } from './edits.ts'
export { PATCHES } from './patches.ts'
export { recordRequest, type WireKind, type WireRules } from './wire/record-request.ts'

export type { PromptReference as SvcPrompt } from '@svc/tracing'
export { SvcVercelAiSdkIntegration, type SvcVercelAiSdkIntegrationOptions } from './svc-integration.ts'

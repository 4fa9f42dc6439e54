export { SvcVercelAiSdkIntegration, type SvcVercelAiSdkIntegrationOptions } from './svc-integration.ts'

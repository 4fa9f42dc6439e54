import type { Integration } from './ai-sdk/hooks.ts'
import { lazyIntegration } from './ai-sdk/lazy-integration.ts'
import { createGlobalIntegration } from './recorders.ts'

/** Returns our telemetry of the AI SDK 7. It is made with the first call of that version. */
export function loadAiSdkTelemetry(): Integration {
  return lazyIntegration(createGlobalIntegration)
}

export { adoptAiSdk, enableAiSdk } from './adopt.ts'
export { loadAiSdkTelemetry } from './load.ts'

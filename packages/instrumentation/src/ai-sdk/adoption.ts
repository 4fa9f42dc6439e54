export { adoptAiSdk, enableAiSdk, isAiSdkAdopted } from './adopt.ts'
export { loadAiSdkTelemetry } from './load.ts'

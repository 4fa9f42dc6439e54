export { adoptAiSdk, enableAiSdk, isAiSdkAdopted } from './adopt.ts'

/*
 * The second stage of a start: everything that records. Loaded with the first package that is hooked, the first request,
 * and the first use of OpenTelemetry's API or of the runtime; at start, where the settings ask for it (`start-later.ts`).
 */
export { loadAiSdkTelemetry } from '@svc/instrumentation/ai-sdk-telemetry'
export { prepare, prepareAtOnce } from './prepare.ts'
export { start } from './start.ts'
export { start as startInMemory } from './start-in-memory.ts'
export { unseenLibraries } from './unseen-libraries.ts'

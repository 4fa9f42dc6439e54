/*
 * Functions that need OpenTelemetry's API, loaded like `late-parts.ts`. Separate, because the runtime itself uses those
 * parts.
 */
export { run, setRoute, takeCopy } from './runtime.ts'

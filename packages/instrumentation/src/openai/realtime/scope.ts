/** The tracer of sessions is that of the client's other calls. */
export const SCOPE = '@svc/instrumentation-openai'

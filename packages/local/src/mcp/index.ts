export type { TraceServerOptions } from './server.ts'
export { serveTraces } from './stdio.ts'

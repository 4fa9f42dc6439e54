import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type TraceServerOptions, traceServer } from './server.ts'

/** Serves the tools over stdin and stdout. Resolves when the client closes its end. */
export function serveTraces(options: TraceServerOptions): Promise<void> {
  return new Promise((resolve) => {
    const handle = serveStdio(() => traceServer(options))
    process.stdin.once('close', () => void handle.close().then(resolve, resolve))
    process.stdin.once('end', () => void handle.close().then(resolve, resolve))
  })
}

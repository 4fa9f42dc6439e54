import { JSON_LIMITS, jsonText } from '../api/body.ts'
import type { Answer } from '../http/answer.ts'
import { API } from '../http/api-route.ts'
import type { Call, Route } from '../http/router.ts'
import type { TraceReader } from '../questions/index.ts'
import type { ReadService } from '../service.ts'
import { ownReader } from './own-reader.ts'

/**
 * `POST /api/public/mcp`: the Model Context Protocol over Streamable HTTP, without sessions.
 *
 * @param reads what answers its questions
 */
export const mcpRoute = (reads: readonly Route<ReadService>[]): Route<ReadService> => ({
  method: 'POST',
  path: `${API}/mcp`,
  access: 'project',
  reads: true,
  limits: JSON_LIMITS,
  handle: (call, service) => answerMcp(call, ownReader(reads, service, call)),
})

/** Headers that the protocol reads. Those of the connection are of the connection. */
const READ = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name']

async function answerMcp(call: Call, reader: TraceReader): Promise<Answer> {
  // Most services are never asked: they need not load the protocol.
  const [{ createMcpHandler }, { traceServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  const body = await jsonText(call)
  const headers = READ.flatMap((name) =>
    call.headers[name] ? [[name, String(call.headers[name])] as [string, string]] : [],
  )
  const request = new Request(`http://local${call.path}`, {
    ...{ method: 'POST', headers, body, signal: call.left },
  })
  // Nothing here tells of changes: a subscription would stay open for nothing.
  const handler = createMcpHandler(() => traceServer({ reader }), { maxSubscriptions: 0 })
  try {
    const response = await handler.fetch(request)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    }
  } finally {
    await handler.close()
  }
}

import { attempt } from '@svc/core/attempt'
import * as SLOTS from '@svc/core/slots'
import type { EditedSource } from '../hook/edit-source.ts'
import { followTransport } from './transport.ts'

const CONNECTS = /this\.transport\.onmessage = /

/**
 * Edits `@ai-sdk/mcp`, whose client is not exported, so that its requests name their trace. Its tools are recorded by the
 * AI SDK that calls them.
 */
export function edit(source: string): EditedSource {
  if (!CONNECTS.test(source)) return { source, missing: ['the trace of its requests'] }
  Object.assign(globalThis, { [Symbol.for(SLOTS.AI_MCP)]: follow })
  const call = `globalThis[Symbol.for(${JSON.stringify(SLOTS.AI_MCP)})]?.(this.transport); $&`
  return { source: source.replace(CONNECTS, call), missing: [] }
}

function follow(transport: unknown): void {
  attempt('follow a transport', followTransport, transport)
}

import { attempt } from '@svc/core/attempt'
import * as SLOTS from '@svc/core/slots'
import { asRecord } from '../gen-ai/read.ts'
import type { EditedSource } from '../hook/edit-source.ts'
import { patchMember, type Wrappers } from '../patch/patch-methods.ts'
import { recordHandlers } from './handlers.ts'
import { wrappers } from './instrument.ts'
import { followTransport } from './transport.ts'

const CONNECTS = /this\.transport\.onmessage = /

const CLIENT: Wrappers = { request: wrappers.request, onElicitationRequest: recordHandlers }

/** Edits `@ai-sdk/mcp`, whose client is not exported, so that its instances are followed. */
export function edit(source: string): EditedSource {
  if (!CONNECTS.test(source)) return { source, missing: ['its requests'] }
  Object.assign(globalThis, { [Symbol.for(SLOTS.AI_MCP)]: follow })
  const call = `globalThis[Symbol.for(${JSON.stringify(SLOTS.AI_MCP)})]?.(this); $&`
  return { source: source.replace(CONNECTS, call), missing: [] }
}

function follow(client: unknown): void {
  attempt('follow a client', () => {
    followTransport(asRecord(client).transport)
    for (const name of Object.keys(CLIENT)) patchMember(Object.getPrototypeOf(client), name, CLIENT)
  })
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Attributes } from '@opentelemetry/api'
import { DIALECTS, type Said } from './dialects.ts'

export interface DialectServer {
  /** Returns the base URL of a vendor. @param name of its dialect */
  urlOf(name: string): string
  close(): Promise<void>
}

/** Starts a server that answers any chat in the dialect that its path names by number. */
export async function startDialectServer(): Promise<DialectServer> {
  const names = Object.keys(DIALECTS)
  const server = createServer(async (request, response) => {
    const { stream } = (await json(request)) as { stream?: boolean }
    const { answer, chunks } = Object.values(DIALECTS)[Number(request.url?.split('/')[1])] ?? { answer: {}, chunks: [] }
    response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json')
    const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    response.end(stream ? events.map((event) => `data: ${event}\n\n`).join('') : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${names.indexOf(name)}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What a span says of an answer. */
export function saidBy(attributes: Attributes = {}): Said {
  const read = (name: string) => {
    const text = attributes[`svc.observation.${name}`]
    return text === undefined ? undefined : JSON.parse(String(text))
  }
  const [message = {}] = read('output') ?? []
  const { content, thinking, tool_calls } = message
  // biome-ignore lint/suspicious/noExplicitAny: of JSON.
  const calls = tool_calls?.map(({ function: { name, arguments: input } }: any) => `${name}(${input})`)
  // biome-ignore lint/suspicious/noExplicitAny: of JSON.
  const thoughts = thinking?.map((thought: any) => thought.content).join('')
  const said = {
    id: attributes['gen_ai.response.id'],
    model: attributes['svc.observation.model.name'],
    text: content || undefined,
    thinking: thoughts,
    calls,
    usage: read('usage_details'),
    cost: read('cost_details')?.total,
    tier: read('model.parameters')?.service_tier,
    citations: read('metadata.citations'),
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as unknown as Said
}

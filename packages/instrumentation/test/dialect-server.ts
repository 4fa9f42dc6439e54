import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Attributes } from '@opentelemetry/api'
import { GEMINI, MESSAGES, RESPONSES } from './api-dialects.ts'
import { DIALECTS, type Expected } from './dialects.ts'

export interface DialectServer {
  /**
   * Returns the base URL of a vendor.
   *
   * @param name of its dialect
   * @param pieces of a stream, after which the connection breaks. Default: all of them
   */
  urlOf(name: string, pieces?: number): string
  close(): Promise<unknown>
}

const ALL = { ...DIALECTS, ...MESSAGES, ...GEMINI, ...RESPONSES }

/** Starts a server that answers any chat in the dialect that its path names by number. */
export async function startDialectServer(): Promise<DialectServer> {
  const names = Object.keys(ALL)
  const thread = new Worker(new URL('./dialect-thread.mjs', import.meta.url), { workerData: Object.values(ALL) })
  const [port] = await once(thread, 'message')
  return {
    urlOf(name, pieces) {
      const place = [names.indexOf(name), ...(pieces ? [pieces] : [])].join('.')
      return `http://127.0.0.1:${port}/${place}/v1`
    },
    close: () => thread.terminate(),
  }
}

/** What a span says of an answer. */
export function recordedBy(attributes: Attributes = {}): Expected {
  const read = (name: string) => {
    const text = attributes[`svc.observation.${name}`]
    return text === undefined ? undefined : JSON.parse(String(text))
  }
  // Not the output of `observeOpenAI`, which is the message or its text as the vendor wrote it.
  const isOurs = String(attributes['svc.observation.output']).startsWith('[')
  const [message = {}] = isOurs ? (read('output') ?? []) : []
  const { content, thinking, tool_calls } = message
  // biome-ignore lint/suspicious/noExplicitAny: of JSON.
  const calls = tool_calls?.map(({ function: { name, arguments: input } }: any) => `${name}(${input})`)
  // biome-ignore lint/suspicious/noExplicitAny: of JSON.
  const thoughts = thinking?.map((thought: any) => thought.content).join('')
  const expected = {
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
  return Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)) as unknown as Expected
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll } from 'vitest'
import { isModelPath } from '../src/wire/model-path.ts'
import { recordRequest, type WireKind } from '../src/wire/record-request.ts'
import { startModels } from './models.ts'
import { finishedSpans, forgetSpans } from './spans.ts'

const libraries = ['openai', 'anthropic', 'google-genai', 'ollama', 'cohere', 'bedrock']
const rules = { libraries, knownHostsOnly: false, blockedHosts: [], raw: false }

/** Records requests from the requests themselves, as the preload does, in the tests of the file that calls it. */
export function recordWire(): void {
  for (const [channel, kind] of CHANNELS) {
    const listener = (message: unknown) => {
      const { request, stream, headers } = message as Published
      const described = request ?? { path: headers[':path'], headers, stream }
      if (isModelPath(described.path)) recordRequest(kind, described as never, rules)
    }
    beforeAll(() => subscribe(channel, listener))
    afterAll(() => void unsubscribe(channel, listener))
  }
}

interface Published {
  readonly request?: { readonly path: string }
  readonly stream: unknown
  readonly headers: Record<string, string>
}

const CHANNELS: readonly (readonly [channel: string, kind: WireKind])[] = [
  ['undici:request:create', 'fetch'],
  ['http.client.request.created', 'http'],
  ['http2.client.stream.created', 'http2'],
]

/** A request that a library has sent, to be sent again without it. */
export interface SentRequest {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | FormData
}

/** A `fetch` that keeps the requests that it sends. */
export function keepingFetch(sent: SentRequest[]): typeof fetch {
  const { fetch } = globalThis
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : String(input))
    const { body } = init ?? {}
    const headers = Object.fromEntries(new Headers(init?.headers))
    if (typeof body === 'string' || body instanceof FormData) sent.push({ path: pathname + search, headers, body })
    return fetch(input, init)
  }
}

/** Sends requests again without the library, and reads their responses. */
export async function sendAgain(sent: readonly SentRequest[], url: string, by = fetch): Promise<void> {
  for (const { path, headers, body } of sent) await (await by(url + path, { method: 'POST', headers, body })).text()
}

/** Everything that the spans say of what is done against a model server of its own. */
export async function recordedBy(act: (url: string) => Promise<unknown>): Promise<unknown[]> {
  forgetSpans()
  const server = await startModels()
  await act(server.url)
  await server.close()
  return finishedSpans().map(fieldsOf)
}

function fieldsOf(span: ReadableSpan) {
  const { name, kind, status, instrumentationScope, attributes } = span
  return { name, kind, status, scope: instrumentationScope.name, attributes: comparable(attributes) }
}

/** Of a time only whether it is known. A refusal is named by the class of the library, or by its status. */
function comparable({ 'server.port': _, ...attributes }: Attributes): Attributes {
  const time = attributes['svc.observation.completion_start_time'] && 'known'
  const type = attributes['error.type'] && 'known'
  return { ...attributes, 'svc.observation.completion_start_time': time, 'error.type': type }
}

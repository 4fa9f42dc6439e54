import { subscribe } from 'node:diagnostics_channel'
import { isModelPath } from '../src/wire/model-path.ts'
import { recordRequest, type WireKind } from '../src/wire/record-request.ts'

const libraries = ['openai', 'anthropic', 'google-genai', 'ollama', 'cohere', 'bedrock']
const rules = { libraries, knownHostsOnly: false, blockedHosts: [] }

/** Records requests from the requests themselves, as the preload does. */
export function recordWire(): void {
  for (const [channel, kind] of CHANNELS) {
    subscribe(channel, (message) => {
      const { request } = message as { request: { path: string } }
      if (isModelPath(request.path)) recordRequest(kind, request as never, rules)
    })
  }
}

const CHANNELS: readonly (readonly [channel: string, kind: WireKind])[] = [
  ['undici:request:create', 'fetch'],
  ['http.client.request.created', 'http'],
]

/** A request that a library has sent, to be sent again without it. */
export interface SentRequest {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** A `fetch` that keeps the requests that it sends. */
export function keepingFetch(sent: SentRequest[]): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : String(input))
    const { body } = init ?? {}
    const headers = Object.fromEntries(new Headers(init?.headers))
    if (typeof body === 'string') sent.push({ path: pathname + search, headers, body })
    return fetch(input, init)
  }
}

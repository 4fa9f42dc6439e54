import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, vi } from 'vitest'
import { isModelPath } from '../src/wire/model-path.ts'
import { recordRequest, type WireKind } from '../src/wire/record-request.ts'
import { type Models, startModels } from './models.ts'
import { finishedSpans, forgetSpans } from './spans.ts'

const libraries = ['openai', 'anthropic', 'google-genai', 'ollama', 'cohere', 'bedrock']
const rules = { libraries, knownHostsOnly: false, blockedHosts: [], raw: false, below: true }

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

/** A request that was sent, to be sent again without a library. */
export interface SentRequest {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** Sends requests, and reads their responses. */
export async function sendAgain(sent: readonly SentRequest[], url: string): Promise<void> {
  for (const { path, headers, body } of sent) await (await fetch(url + path, { method: 'POST', headers, body })).text()
}

/**
 * Loads a library twice: as it is, and for its patch.
 *
 * @param from the file or folder that has it installed
 */
// biome-ignore lint/suspicious/noExplicitAny: what a library exports.
export function loadTwice(from: string | URL, name: string): { plain: any; patched: any } {
  const require = createRequire(from)
  const [folder = ''] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(require.resolve(name)) ?? []
  const load = () => {
    for (const file of Object.keys(require.cache)) if (file.startsWith(folder)) delete require.cache[file]
    return require(name)
  }
  return { plain: load(), patched: load() }
}

export interface RecordedCall {
  readonly name: string
  readonly attributes: Attributes
  readonly [field: string]: unknown
}

/**
 * Everything that the spans say of what is done against a model server of its own.
 *
 * @param count how many spans end after it, if some do
 */
export async function recordedBy(act: (server: Models) => Promise<unknown>, count = 0): Promise<RecordedCall[]> {
  forgetSpans()
  const server = await startModels()
  await act(server)
  await vi.waitUntil(() => finishedSpans().length >= count, 60_000)
  await server.close()
  return finishedSpans().map(fieldsOf)
}

function fieldsOf({ name, kind, status, instrumentationScope, attributes }: ReadableSpan): RecordedCall {
  const { code, message } = status
  return {
    ...{ name, kind, scope: instrumentationScope.name, attributes: comparable(attributes) },
    status: { code, message: message && reasonIn(message) },
  }
}

/** What the model server says of a failure, which each library puts into words of its own. */
function reasonIn(message: string): string {
  if (/^(?:terminated|Premature close|other side closed)$/.test(message)) return 'the connection was lost'
  return /The model \S+ fails|Try again/.exec(message)?.[0] ?? message
}

/** Of a time only whether it is known. A refusal is named by the class of the library, or by its status. */
function comparable({ 'server.port': _, ...attributes }: Attributes): Attributes {
  const time = attributes['svc.observation.completion_start_time'] && 'known'
  const type = attributes['error.type'] && 'known'
  return { ...attributes, 'svc.observation.completion_start_time': time, 'error.type': type }
}

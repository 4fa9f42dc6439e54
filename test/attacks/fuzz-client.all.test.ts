import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { SvcClient } from '@svc/client'
import { environmentOf } from '@svc/core/environment'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { parseReferenceString } from '../../packages/client/src/media/reference-string.ts'
import { fuzz } from './fuzz.ts'

const SECRET = 'a-key-of-no-known-form-6b1f'
const TOKEN = Buffer.from(`pk-fuzz:${SECRET}`).toString('base64')

/** What the service answers next. */
let answer: { status: number; body: string; type: string } = { status: 200, body: '', type: '' }
let server: Server
let client: SvcClient
const printed: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume()
    response.writeHead(answer.status, { 'content-type': answer.type, 'retry-after': '0' })
    // It repeats what it was sent, as some do.
    response.end(answer.body.replace('AUTHORIZATION', request.headers.authorization ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = { publicKey: 'pk-fuzz', secretKey: SECRET, baseUrl, maxRetries: 0, env: environmentOf({}) }
  client = new SvcClient(options)
})
beforeEach(() => {
  printed.length = 0
  for (const method of ['debug', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...parts) => void printed.push(parts.map(String).join(' ')))
})
afterAll(async () => {
  await client.score.shutdown()
  expectNoSecret(printed.join('\n'))
  vi.restoreAllMocks()
  server.closeAllConnections()
  server.close()
})

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('AUTHORIZATION', '__proto__', '\u0000', '\ud800', 1e308, 'svc:media:x', '@@@svcMedia:a|b|c@@@', '{{'),
)
const FIELDS = [
  ...['name', 'version', 'type', 'prompt', 'config', 'labels', 'tags', 'data', 'meta', 'items', 'id', 'projectId'],
  ...['page', 'limit', 'totalItems', 'totalPages', 'cursor', 'input', 'expectedOutput', 'metadata', 'mediaId', 'url'],
  ...[
    'uploadUrl',
    'contentType',
    'contentLength',
    'message',
    'error',
    'errors',
    'accepted',
    'role',
    'content',
    'status',
  ],
  ...['__proto__', 'constructor', 'toString', 'then', 'datasetId', 'datasetName', 'createdAt', 'nextCursor', 'hasMore'],
]
const fields = fc.dictionary(fc.constantFrom(...FIELDS), odd, { maxKeys: 10 })
const likely = fc.oneof(
  fc.record({
    name: fc.string(),
    version: odd,
    type: fc.constantFrom('text', 'chat', 'x'),
    prompt: odd,
    config: odd,
    labels: odd,
  }),
  fc.record({ data: fc.array(fields, { maxLength: 4 }), meta: fields }),
  fc.record({
    data: fc.array(fields, { maxLength: 1 }),
    meta: fc.constant({ page: 1, limit: 1, totalItems: 1, totalPages: 1 }),
  }),
  fc.record({ name: fc.string(), id: odd, items: odd, metadata: odd }),
)
const bodies = fc.oneof(
  likely.map((value) => JSON.stringify(value)),
  fields.map((value) => JSON.stringify(value)),
  odd.map((value) => JSON.stringify(value)),
  fc.string({ maxLength: 100 }),
  fc.constantFrom('', '<html>', '{"message":"AUTHORIZATION"}', '[[[[', '{"a":'),
)
const answers = fc.record({
  // Those after which it is tried again would take their pauses.
  status: fc.constantFrom(200, 200, 200, 201, 207, 400, 401, 404, 409, 418),
  body: bodies,
  type: fc.constantFrom('application/json', 'text/html', 'application/json; charset=x', ''),
})

let run = 0
/** Each of these reads an answer. */
const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  'prompt.get': async () => {
    const prompt = await client.prompt.get(`prompt ${run}`, { cacheTtlSeconds: 0 })
    return [
      attempt(() => prompt.compile({ a: 'b' })),
      attempt(() => prompt.getLangchainPrompt()),
      attempt(() => prompt.toJSON()),
    ]
  },
  'prompt.get with a fallback': () => client.prompt.get(`other ${run}`, { fallback: 'else {{a}}' }),
  'prompt.create': () => client.prompt.create({ name: 'a', prompt: 'b' }),
  'dataset.get': () => client.dataset.get('d', { fetchItemsPageSize: 1 }),
  'experiment.delete': () => client.experiment.delete({ name: 'e' }),
  'score.createAndWait': () => client.score.createAndWait({ traceId: 'a'.repeat(32), name: 's', value: 1 }),
  'media.resolveReferences': () =>
    client.media.resolveReferences({
      obj: { a: ['@@@svcMedia:type=image/png|id=x|source=bytes@@@'] },
      resolveWith: 'base64DataUri',
    }),
  getTraceUrl: () =>
    new SvcClient({
      publicKey: 'pk-fuzz',
      secretKey: SECRET,
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      env: environmentOf({}),
    }).getTraceUrl('t'),
  'api.datasets.list': async () => {
    const seen: unknown[] = []
    for await (const each of client.api.datasets.list()) if (seen.push(each) > 20) break
  },
  'api.prompts.get': () => client.api.prompts.get('p'),
}

/** Templates of strangers may be refused, but by an error of their kind. */
function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    expect(error).toBeInstanceOf(Error)
    return error
  }
}

function expectNoSecret(text: string): void {
  for (const secret of [SECRET, TOKEN]) expect(text).not.toContain(secret)
}

it.each(Object.entries(CALLS))(
  '%s takes any answer, or fails with an error that has no key',
  async (_, call) => {
    await fc.assert(
      fc.asyncProperty(answers, async (next) => {
        answer = next
        run += 1
        await call().catch((error: unknown) => {
          expect(error).toBeInstanceOf(Error)
          expectNoSecret(`${JSON.stringify(error)} ${inspect(error, { depth: 5 })}`)
        })
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      fuzz(150),
    )
    expectNoSecret(printed.join('\n'))
  },
  120_000,
)

it('references to media of any text are read, or are an error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        odd.map(String),
        fc.string().map((text) => `@@@svcMedia:${text}@@@`),
      ),
      (text) => {
        attempt(() => parseReferenceString(text))
      },
    ),
    fuzz(2_000),
  )
})

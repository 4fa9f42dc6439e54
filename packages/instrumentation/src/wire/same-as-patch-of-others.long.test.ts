import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it, vi } from 'vitest'
import type { Models } from '../../test/models.ts'
import { recordSpans } from '../../test/spans.ts'
import { loadTwice, type RecordedCall, recordedBy, recordWire } from '../../test/wire.ts'
import { asRecord } from '../gen-ai/read.ts'
import { PATCHES } from '../patches.ts'

// biome-ignore lint/suspicious/noExplicitAny: what each of the libraries exports.
type Exports = any
type Call = (exports: Exports, url: string) => Promise<unknown>

/** Those that the tests of libraries have installed. */
const installed = (folder: string) =>
  fileURLToPath(new URL(`../../../../test/instrumentation/${folder}/`, import.meta.url))
// Vitest adds a condition of bundlers, by which AWS's packages give files that Node cannot load.
const resolving = registerHooks({
  resolve: (name, { conditions, ...context }, next) =>
    next(name, { ...context, conditions: conditions.filter((condition) => condition !== 'module') }),
})
afterAll(() => resolving.deregister())
const load = (folder: string, name: string) => loadTwice(installed(folder), name)

recordSpans()
recordWire()
const LOADED = {
  anthropic: load('anthropic', 'anthropic-1'),
  'google-genai': load('google-genai', 'genai-3'),
  ollama: load('ollama', 'ollama-0.6'),
  cohere: load('cohere', 'cohere-8'),
  bedrock: load('bedrock', 'bedrock-1163'),
}
type Library = keyof typeof LOADED
for (const [name, { patched }] of Object.entries(LOADED)) PATCHES[name as Library](patched)

const QUESTION = 'How is the weather in Paris and Rome?'
const messages = [{ role: 'user', content: QUESTION }]
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const weather = { name: 'weather', description: 'The weather', parameters }
const tools = [{ type: 'function', function: weather }]

const claude = { model: 'claude-test', max_tokens: 99, system: 'Be brief.', messages }
const anthropic = ({ Anthropic }: Exports, url: string, maxRetries = 0) =>
  new Anthropic({ baseURL: url, apiKey: 'sk-secret', maxRetries }).messages
const genai = ({ GoogleGenAI }: Exports, url: string) =>
  new GoogleGenAI({ apiKey: 'sk-secret', httpOptions: { baseUrl: url } }).models
const ollama = ({ Ollama }: Exports, host: string) => new Ollama({ host })
const cohere = ({ CohereClientV2 }: Exports, url: string) =>
  new CohereClientV2({ token: 'sk-secret', environment: url })
// It speaks HTTP/2 by itself, which the model server does not.
const { NodeHttpHandler } = createRequire(installed('bedrock'))('@smithy/node-http-handler')
const bedrock = ({ BedrockRuntimeClient }: Exports, endpoint: string, maxAttempts = 1) =>
  new BedrockRuntimeClient({
    ...{ endpoint, region: 'us-east-1', maxAttempts, requestHandler: new NodeHttpHandler() },
    credentials: { accessKeyId: 'sk-secret', secretAccessKey: 'sk-secret' },
  })
const converse = { modelId: 'claude-test', messages: [{ role: 'user', content: [{ text: QUESTION }] }] }
const toolConfig = { tools: [{ toolSpec: { name: 'weather', inputSchema: { json: parameters } } }] }
const invoke = (modelId: string, body: object) => ({ modelId, body: JSON.stringify(body) })
const CLAUDE = 'anthropic.claude-3-5-haiku'
const inBedrock = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 99, messages }

const ask = (contents: unknown, config = {}) => ({ model: 'gemini-test', contents, config })
const functionDeclarations = [{ name: 'weather', parametersJsonSchema: parameters }]

it.each<[library: Library, title: string, call: Call]>([
  ['anthropic', 'a message', (exports, url) => anthropic(exports, url).create(claude)],
  ['anthropic', 'a stream', async (exports, url) => read(anthropic(exports, url).create({ ...claude, stream: true }))],
  [
    'anthropic',
    'tools',
    (exports, url) =>
      anthropic(exports, url).create({ ...claude, tools: [{ name: 'weather', input_schema: parameters }] }),
  ],
  [
    'google-genai',
    'content',
    (exports, url) =>
      genai(exports, url).generateContent(ask(QUESTION, { systemInstruction: 'Be brief.', temperature: 0.5, topK: 4 })),
  ],
  ['google-genai', 'a stream', (exports, url) => read(genai(exports, url).generateContentStream(ask(QUESTION)))],
  [
    'google-genai',
    'tools',
    (exports, url) => genai(exports, url).generateContent(ask(QUESTION, { tools: [{ functionDeclarations }] })),
  ],
  ['google-genai', 'embeddings', (exports, url) => genai(exports, url).embedContent(ask([QUESTION]))],
  ['ollama', 'a chat', (exports, url) => ollama(exports, url).chat({ model: 'llama-test', messages, tools })],
  [
    'ollama',
    'a stream',
    (exports, url) => read(ollama(exports, url).chat({ model: 'llama-test', messages, stream: true })),
  ],
  ['ollama', 'a text', (exports, url) => ollama(exports, url).generate({ model: 'llama-test', prompt: QUESTION })],
  ['ollama', 'embeddings', (exports, url) => ollama(exports, url).embed({ model: 'llama-test', input: QUESTION })],
  ['cohere', 'a chat', (exports, url) => cohere(exports, url).chat({ model: 'command-test', messages, tools })],
  ['cohere', 'a stream', (exports, url) => read(cohere(exports, url).chatStream({ model: 'command-test', messages }))],
  ['bedrock', 'a chat', (exports, url) => command(exports, url, 'ConverseCommand', converse)],
  ['bedrock', 'a stream', (exports, url) => command(exports, url, 'ConverseStreamCommand', converse)],
  ['bedrock', 'tools', (exports, url) => command(exports, url, 'ConverseCommand', { ...converse, toolConfig })],
  [
    'bedrock',
    'streamed tools',
    (exports, url) => command(exports, url, 'ConverseStreamCommand', { ...converse, toolConfig }),
  ],
  ...[CLAUDE, 'meta.llama3', 'mistral.mistral-7b', 'amazon.titan-embed-text-v2'].flatMap((model) => {
    const body = model === CLAUDE ? inBedrock : { prompt: QUESTION, inputText: QUESTION }
    const by =
      (name: string): Call =>
      (exports, url) =>
        command(exports, url, name, invoke(model, body))
    const whole: [Library, string, Call] = ['bedrock', `${model} invoked`, by('InvokeModelCommand')]
    if (model.includes('embed')) return [whole]
    return [
      whole,
      ['bedrock', `${model} invoked as a stream`, by('InvokeModelWithResponseStreamCommand')] as typeof whole,
    ]
  }),
])('%s: %s is recorded by the request as by the library', (library, _, call) =>
  compare(library, ({ url }, exports) => call(exports, url)),
)

/** Asks a model of some name, whole or as a stream. */
type Ask = (model: string, stream?: boolean, signal?: AbortSignal) => Promise<unknown>
const ASK: Readonly<Record<Library, (exports: Exports, url: string) => Ask>> = {
  anthropic: (exports, url) => (model, stream, signal) =>
    anthropic(exports, url).create({ ...claude, model, stream }, { signal }),
  'google-genai': (exports, url) => (model, stream, abortSignal) =>
    genai(exports, url)[stream ? 'generateContentStream' : 'generateContent']({
      ...ask(QUESTION, { abortSignal }),
      model,
    }),
  ollama: (exports, url) => (model, stream, signal) => {
    const client = ollama(exports, url)
    signal?.addEventListener('abort', () => client.abort())
    return client.chat({ model, messages, stream })
  },
  cohere: (exports, url) => (model, stream, abortSignal) =>
    cohere(exports, url)[stream ? 'chatStream' : 'chat']({ model, messages }, { abortSignal, maxRetries: 0 }),
  bedrock: (exports, url) => async (modelId, stream, abortSignal) => {
    const input = { ...converse, modelId }
    if (!stream) return bedrock(exports, url).send(new exports.ConverseCommand(input), { abortSignal })
    return (await bedrock(exports, url).send(new exports.ConverseStreamCommand(input), { abortSignal })).stream
  },
}

/** The same by `invoke`, whose body is that of the model. */
const invokedBy =
  (exports: Exports, url: string): Ask =>
  async (model, stream, abortSignal) => {
    const input = invoke(`meta.llama3-${model}`, { prompt: QUESTION })
    if (!stream) return bedrock(exports, url).send(new exports.InvokeModelCommand(input), { abortSignal })
    const command = new exports.InvokeModelWithResponseStreamCommand(input)
    return (await bedrock(exports, url).send(command, { abortSignal })).body
  }

/** Sends a command of Bedrock, and reads its stream if it has one. */
async function command(exports: Exports, url: string, name: string, input: object): Promise<void> {
  const { stream, body } = await bedrock(exports, url).send(new exports[name](input))
  if (name.includes('Stream')) await read(stream ?? body)
}

const ENDS: Readonly<Record<string, (ask: Ask, server: Models) => Promise<unknown>>> = {
  'a refusal': (ask) => ask('error-400'),
  'a refused stream': (ask) => ask('error-401', true),
  'a rate limit': (ask) => ask('error-429'),
  'a failure of the server': (ask) => ask('error-500'),
  'an abort before the answer': async (ask, { requests }) => {
    const controller = new AbortController()
    const asked = ask('hang', false, controller.signal)
    await vi.waitUntil(async () => (await requests()) > 0, 60_000)
    controller.abort()
    await asked
  },
  'an abort within a stream': async (ask) => {
    const controller = new AbortController()
    await read(ask('slow', true, controller.signal), () => controller.abort())
    throw new Error('Some end without an error of their own')
  },
  'a broken stream': (ask) => read(ask('cut', true)),
  'a broken answer': (ask) => ask('cut'),
}

const ends = (Object.keys(LOADED) as Library[]).flatMap((library) =>
  // Ollama's client aborts streams only.
  Object.keys(ENDS).flatMap((end) => (library === 'ollama' && end.includes('before') ? [] : [[library, end] as const])),
)

it.each(ends)('%s: %s is recorded by the request as by the library', (library, end) =>
  compare(library, async (server, exports) => {
    await expect(ENDS[end]?.(ASK[library](exports, server.url), server)).rejects.toThrow()
  }),
)

it.each(Object.keys(ENDS))('bedrock, invoked: %s is recorded by the request as by the library', (end) =>
  compare('bedrock', async (server, exports) => {
    await expect(ENDS[end]?.(invokedBy(exports, server.url), server)).rejects.toThrow()
  }),
)

it('anthropic: with retries, each request is a call as the library has one', async () => {
  const twice = async ({ url }: Models, exports: Exports) => {
    await expect(anthropic(exports, url, 1).create({ ...claude, model: 'error-429' })).rejects.toThrow()
  }
  await compare('anthropic', twice, (byLibrary) => [...byLibrary, ...byLibrary])
})

it('bedrock: with retries, each request is a call as the library has one', async () => {
  const twice = async ({ url }: Models, exports: Exports) => {
    const asked = bedrock(exports, url, 2).send(new exports.ConverseCommand({ ...converse, modelId: 'error-429' }))
    await expect(asked).rejects.toThrow()
  }
  await compare('bedrock', twice, (byLibrary) => [...byLibrary, ...byLibrary])
})

// Where a client does not end a request whose stream is left, what arrives until then is its answer.
it.each(['anthropic', 'cohere'] as const)('%s: a stream that is left is recorded as by the library', (library) =>
  compare(library, async ({ url }, exports) => {
    for await (const _ of (await ASK[library](exports, url)('slow', true)) as AsyncIterable<unknown>) break
  }),
)

async function compare(
  library: Library,
  act: (server: Models, exports: Exports) => Promise<unknown>,
  expectedOf: (byLibrary: RecordedCall[]) => RecordedCall[] = (byLibrary) => byLibrary,
): Promise<void> {
  const { patched, plain } = LOADED[library]
  const byLibrary = await recordedBy((server) => act(server, patched), 1)
  expect(byLibrary.length).toBe(1)
  const expected = expectedOf(byLibrary)
  const byRequest = await recordedBy((server) => act(server, plain), expected.length)
  expect(untilAbort(byRequest)).toEqual(untilAbort(library === 'bedrock' ? expected.map(asRequested) : expected))
}

/**
 * What requests say otherwise than a client of AWS, which determines the address as it sends, and adds to the error of a
 * broken answer its status and advice.
 */
function asRequested({ attributes, status, ...call }: RecordedCall): RecordedCall {
  const isBroken = String(asRecord(status).message).startsWith('aborted')
  const { 'http.response.status_code': code, ...others } = attributes
  const known = {
    ...others,
    'server.address': '127.0.0.1',
    ...(!isBroken && code !== undefined && { 'http.response.status_code': code }),
  }
  return { ...call, attributes: known, status: isBroken ? { code: 2, message: 'aborted' } : status }
}

/** Of a slow stream another word may arrive before its abort: what has been read by then is compared. */
function untilAbort(calls: RecordedCall[]): unknown {
  return JSON.parse(JSON.stringify(calls).replaceAll(/"one word[^"\\]*/g, '"one word'))
}

async function read(stream: Promise<unknown>, seen?: () => void): Promise<void> {
  let count = 0
  for await (const _ of (await stream) as AsyncIterable<unknown>) if (++count === 4) seen?.()
}

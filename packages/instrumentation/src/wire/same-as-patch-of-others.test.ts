import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordSpans } from '../../test/spans.ts'
import { keepingFetch, recordedBy, recordWire, type SentRequest, sendAgain } from '../../test/wire.ts'
import { PATCHES } from '../patches.ts'

// biome-ignore lint/suspicious/noExplicitAny: what each of the libraries exports.
type Exports = any
type Call = (exports: Exports, url: string) => Promise<unknown>

/** Loads a library that the tests of libraries have installed. */
function load(folder: string, name: string): Exports {
  const tests = fileURLToPath(new URL(`../../../../test/instrumentation/${folder}/`, import.meta.url))
  return createRequire(tests)(name)
}

const LOADED = {
  anthropic: load('anthropic', 'anthropic-1'),
  'google-genai': load('google-genai', 'genai-3'),
  ollama: load('ollama', 'ollama-0.6'),
  cohere: load('cohere', 'cohere-8'),
}

const sent: SentRequest[] = []
const { fetch } = globalThis
recordSpans()
recordWire()
beforeAll(() => {
  for (const [name, exports] of Object.entries(LOADED)) PATCHES[name as keyof typeof LOADED](exports)
  globalThis.fetch = keepingFetch(sent)
})
afterAll(() => {
  globalThis.fetch = fetch
})

const QUESTION = 'How is the weather in Paris and Rome?'
const messages = [{ role: 'user', content: QUESTION }]
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const weather = { name: 'weather', description: 'The weather', parameters }
const tools = [{ type: 'function', function: weather }]

const claude = { model: 'claude-test', max_tokens: 99, system: 'Be brief.', messages }
const anthropic = ({ Anthropic }: Exports, url: string) => new Anthropic({ baseURL: url, apiKey: 'sk-secret' }).messages
const genai = ({ GoogleGenAI }: Exports, url: string) =>
  new GoogleGenAI({ apiKey: 'sk-secret', httpOptions: { baseUrl: url } }).models
const ollama = ({ Ollama }: Exports, host: string) => new Ollama({ host })
const cohere = ({ CohereClientV2 }: Exports, url: string) =>
  new CohereClientV2({ token: 'sk-secret', environment: url })

const ask = (contents: unknown, config = {}) => ({ model: 'gemini-test', contents, config })
const functionDeclarations = [{ name: 'weather', parametersJsonSchema: parameters }]

it.each<[library: keyof typeof LOADED, title: string, call: Call]>([
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
])('%s: %s is recorded by the request as by the library', async (library, _, call) => {
  sent.length = 0
  const byLibrary = await recordedBy((url) => call(LOADED[library], url))
  const requests = [...sent]
  expect([byLibrary.length, requests.length]).toEqual([1, 1])
  expect(await recordedBy((url) => sendAgain(requests, url, fetch))).toEqual(byLibrary)
})

async function read(stream: Promise<AsyncIterable<unknown>>): Promise<void> {
  for await (const _ of await stream);
}

import {
  APICallError,
  embed,
  embedMany,
  generateObject,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  rerank,
  streamObject,
  streamText,
  type Telemetry,
  ToolLoopAgent,
  tool,
} from 'ai'

/** Calls of the AI SDK 7 with models inside the process, which say the same each time. */
export type SdkCase = (telemetry: { readonly integrations: Telemetry }) => unknown

type Content = Readonly<Record<string, unknown>> & { readonly type: string }
type Answer = readonly Content[] | Error

const USAGE = {
  inputTokens: { total: 12, noCache: 4, cacheRead: 5, cacheWrite: 3 },
  outputTokens: { total: 9, text: 7, reasoning: 2 },
}
const text = (words: string): Content => ({ type: 'text', text: words })
const weather = (input: string): Content => ({ type: 'tool-call', toolCallId: 'call-1', toolName: 'weather', input })

function finish(content: readonly Content[], given?: string) {
  const unified = given ?? (content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop')
  return { finishReason: { unified, raw: unified }, usage: USAGE }
}

/** A model that gives its answers one after the other, at once or as a stream. */
function model(answers: readonly Answer[], more: Readonly<Record<string, unknown>> = {}): LanguageModel {
  const left = [...answers]
  const { provider = 'google.vertex.chat', url, reason } = more
  const next = () => {
    const answer = left.shift() ?? []
    if (answer instanceof Error) throw answer
    return answer
  }
  const about = { response: { id: 'response-1', modelId: 'model-1-exact' }, warnings: [], request: { url } }
  const doGenerate = async () => {
    const content = next()
    return { content, ...finish(content, reason as string), ...about }
  }
  const doStream = async () => {
    const content = next()
    const pieces = content.flatMap((part, index) => piecesOf(part, `${index}`))
    const start = [
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', ...about.response },
    ]
    const all = [...start, ...pieces, { type: 'finish', ...finish(content, reason as string) }]
    return { stream: ReadableStream.from(all), ...about }
  }
  const base = { specificationVersion: 'v4', provider, modelId: 'model-1', supportedUrls: {} }
  return { ...base, doGenerate, doStream, ...more } as unknown as LanguageModel
}

/** A stream that waits after its first words until it is aborted. */
async function stalled({ abortSignal }: { readonly abortSignal: AbortSignal }) {
  const pieces = [{ type: 'stream-start', warnings: [] }, ...piecesOf(text('Hello'), '1').slice(0, 2)]
  const start = (controller: ReadableStreamDefaultController) => {
    for (const piece of pieces) controller.enqueue(piece)
    abortSignal.addEventListener('abort', () => controller.error(abortSignal.reason))
  }
  return { stream: new ReadableStream({ start }) }
}

function piecesOf(part: Content, id: string): unknown[] {
  if (part.type !== 'text' && part.type !== 'reasoning') return [part]
  const { type } = part
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: part.text },
    { type: `${type}-end`, id },
  ]
}

const schema = jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
const tools = (execute: (input: { city: string }) => unknown = ({ city }) => `sunny in ${city}`) => ({
  weather: tool({ description: 'The weather', inputSchema: schema as never, execute: execute as never }),
})
const stopWhen = isStepCount(3)
const ROME = weather('{"city":"Rome"}')

const bytes = new Uint8Array([1, 2, 250])
const result = (output: unknown) => ({ type: 'tool-result', toolCallId: 'call-0', toolName: 'weather', output })
const called = { type: 'tool-call', toolCallId: 'call-0', toolName: 'weather', input: { city: 'Oslo' } }
const answered = (output: unknown) => [
  { role: 'assistant', content: [called] },
  { role: 'tool', content: [result(output)] },
]
/** Every kind of part that a message may have. */
const MESSAGES = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look' },
      { type: 'image', image: new URL('https://example.com/a.png') },
      { type: 'image', image: 'https://example.com/b.png', mediaType: 'image/png' },
      { type: 'image', image: bytes },
      { type: 'file', data: bytes, mediaType: 'application/pdf' },
      { type: 'file', data: 'AQID', mediaType: 'audio/wav' },
      { type: 'file', data: new URL('https://example.com/c.mp4'), mediaType: 'video/mp4' },
      { type: 'file', data: { type: 'data', data: bytes }, mediaType: 'image/gif' },
      { type: 'file', data: { type: 'url', url: new URL('https://example.com/d.pdf') }, mediaType: 'application/pdf' },
      { type: 'file', data: { type: 'text', text: 'plain' }, mediaType: 'text/plain' },
    ],
  },
  {
    role: 'assistant',
    content: [{ type: 'reasoning', text: 'Hm.' }, text('Well'), { ...called, toolCallId: 'call-9' }],
  },
  { role: 'tool', content: [{ ...result({ type: 'json', value: { sun: 1 } }), toolCallId: 'call-9' }] },
  { role: 'assistant', content: 'Nice.' },
  ...answered({ type: 'text', value: 'rain' }),
  ...answered({ type: 'error-text', value: 'no' }),
  ...answered({ type: 'error-json', value: { code: 4 } }),
  ...answered({ type: 'execution-denied', reason: 'not now' }),
  ...answered({ type: 'content', value: [{ type: 'text', text: 'x' }] }),
  { role: 'user', content: 'Go on' },
]

const experimental_download = async (files: readonly unknown[]) =>
  files.map(() => ({ data: bytes, mediaType: 'image/png' }))

async function drained(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

const down = (status: number) =>
  new APICallError({ message: 'too busy', url: 'https://x.test', requestBodyValues: {}, statusCode: status })
const ignored = (failed: PromiseLike<unknown>) => Promise.resolve(failed).catch(() => {})

const SETTINGS = {
  maxOutputTokens: 100,
  temperature: 0.5,
  topP: 0.9,
  topK: 3,
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
  seed: 7,
}
const PROVIDERS = [
  'openai.responses',
  'OpenAI',
  'azure-openai.chat',
  'amazon-bedrock',
  'googlex',
  'google.generative-ai',
]

const embedder = {
  specificationVersion: 'v4',
  provider: 'openai.embedding',
  modelId: 'embedder',
  maxEmbeddingsPerCall: 2,
  supportsParallelCalls: true,
  doEmbed: async ({ values }: { values: string[] }) => ({
    embeddings: values.map(() => [0.1, 0.2]),
    usage: { tokens: 3 },
    warnings: [],
  }),
}
const brokenEmbedder = { ...embedder, doEmbed: () => Promise.reject(down(400)) }
const reranker = {
  specificationVersion: 'v4',
  provider: 'cohere.reranking',
  modelId: 'reranker',
  doRerank: async () => ({ ranking: [{ index: 1, relevanceScore: 0.9 }], warnings: [] }),
}
const documents = ['a', 'b']

/** What a provider runs itself, as a part of its answer. */
const ran = (id: string, type: string, more: object) => [
  { type: 'tool-call', toolCallId: id, toolName: 'search', input: '{"q":"a"}', providerExecuted: true },
  { type, toolCallId: id, toolName: 'search', providerExecuted: true, ...more },
]
const PROVIDER_TOOLS = [
  ...ran('run-1', 'tool-result', { result: { hits: 2 } }),
  ...ran('run-2', 'tool-result', { result: 'no', isError: true }),
  text('Found'),
]
const mcp = { type: 'provider', id: 'openai.mcp', name: 'mcp', inputSchema: schema }
const secret = { authorization: 'secret', headers: { 'x-key': 'secret' }, serverLabel: 'a' }
const policy = { domainSecrets: [{ domain: 'x.test', name: 'KEY', value: 'secret' }] }
const shell = { type: 'provider', id: 'openai.shell', name: 'shell', inputSchema: schema }

export const SDK_CASES: Readonly<Record<string, SdkCase>> = {
  text: (telemetry) => generateText({ model: model([[text('Hello')]]), prompt: 'Hi', telemetry }),
  'every setting': (telemetry) =>
    generateText({
      model: model([[text('Hello')]], { url: 'http://[::1]:8080/v1' }),
      prompt: 'Hi',
      instructions: 'Be brief.',
      stopSequences: ['END', 'STOP'],
      ...SETTINGS,
      runtimeContext: { svcPrompt: { name: 'greeting', version: 3 }, tenant: 'acme', nested: { a: [1] } },
      telemetry: {
        ...telemetry,
        functionId: 'greet',
        includeRuntimeContext: { svcPrompt: true, tenant: true, nested: true },
      } as never,
    }),
  'a list of instructions': (telemetry) =>
    generateText({
      model: model([[text('Hello')]], { url: 'https://api.test/v1' }),
      instructions: [
        { role: 'system', content: 'Be' },
        { role: 'system', content: 'brief.' },
      ],
      prompt: 'Hi',
      telemetry,
    }),
  'every kind of message': (telemetry) =>
    generateText({ model: model([[text('Hello')]]), messages: MESSAGES as never, experimental_download, telemetry }),
  'every kind of message, for an object': (telemetry) =>
    generateObject({
      model: model([[text('{"city":"Rome"}')]]),
      schema,
      system: 'Be brief.',
      messages: MESSAGES as never,
      experimental_download,
      telemetry,
    }),
  'thoughts, files and empty texts': (telemetry) =>
    generateText({
      model: model([
        [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'reasoning', text: '' },
          text('One '),
          text('word'),
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
          { type: 'source', sourceType: 'url', id: '1', url: 'https://x.test' },
        ],
      ]),
      prompt: 'Hi',
      telemetry,
    }),
  'no answer': (telemetry) => ignored(generateText({ model: model([[]]), prompt: 'Hi', telemetry })),
  'finish reasons': async (telemetry) => {
    for (const reason of ['length', 'content-filter', 'error', 'other'])
      await generateText({ model: model([[text('Hi')]], { reason }), prompt: reason, telemetry })
  },
  providers: async (telemetry) => {
    for (const provider of PROVIDERS)
      await generateText({ model: model([[text('Hi')]], { provider }), prompt: provider, telemetry })
  },
  'without inputs': (telemetry) =>
    generateText({
      model: model([[ROME], [text('Sunny')]]),
      prompt: 'Hi',
      instructions: 'Be brief.',
      tools: tools(),
      stopWhen,
      telemetry: { ...telemetry, recordInputs: false },
    }),
  'without outputs': (telemetry) =>
    generateText({
      model: model([[ROME], [text('Sunny')]]),
      prompt: 'Hi',
      tools: tools(),
      stopWhen,
      telemetry: { ...telemetry, recordOutputs: false },
    }),
  tools: (telemetry) =>
    generateText({ model: model([[ROME], [text('Sunny')]]), prompt: 'Hi', tools: tools(), stopWhen, telemetry }),
  'a tool that fails': (telemetry) => {
    const failing = tools(() => Promise.reject(new RangeError('no such city')))
    return generateText({ model: model([[ROME], [text('Sorry')]]), prompt: 'Hi', tools: failing, stopWhen, telemetry })
  },
  'a tool that calls a model': (telemetry) => {
    const asking = tools(async () => {
      const { text: words } = await generateText({ model: model([[text('in')]]), prompt: 'inner', telemetry })
      return words
    })
    return generateText({ model: model([[ROME], [text('out')]]), prompt: 'Hi', tools: asking, stopWhen, telemetry })
  },
  'a call of a tool that is no JSON': (telemetry) =>
    generateText({
      model: model([[weather('{"ci')], [text('Sorry')]]),
      prompt: 'Hi',
      tools: tools(),
      stopWhen,
      telemetry,
    }),
  'tools of the provider': (telemetry) => generateText({ model: model([PROVIDER_TOOLS]), prompt: 'Hi', telemetry }),
  'definitions with secrets': (telemetry) =>
    generateText({
      model: model([[text('Hello')]]),
      prompt: 'Hi',
      tools: {
        ...tools(),
        mcp: { ...mcp, args: secret } as never,
        shell: { ...shell, args: { environment: { networkPolicy: policy } } } as never,
      },
      telemetry,
    }),
  'an agent': (telemetry) => {
    const settings = { id: 'agent', instructions: 'Be brief.', tools: tools(), stopWhen, telemetry }
    return new ToolLoopAgent({ model: model([[ROME], [text('Sunny')]]), ...settings }).generate({ prompt: 'Hi' })
  },
  'an error': (telemetry) =>
    ignored(generateText({ model: model([down(401)]), prompt: 'Hi', maxRetries: 0, telemetry })),
  'an error after steps': (telemetry) =>
    ignored(
      generateText({
        model: model([[ROME], new TypeError('broken')]),
        prompt: 'Hi',
        tools: tools(),
        stopWhen,
        telemetry,
      }),
    ),
  streamed: (telemetry) =>
    drained(
      streamText({ model: model([[{ type: 'reasoning', text: 'Hm.' }, text('Hello')]]), prompt: 'Hi', telemetry })
        .stream,
    ),
  'streamed tools': (telemetry) =>
    drained(
      streamText({ model: model([[ROME], [text('Sunny')]]), prompt: 'Hi', tools: tools(), stopWhen, telemetry }).stream,
    ),
  'an error in the place of a stream': (telemetry) =>
    drained(streamText({ model: model([down(500)]), prompt: 'Hi', maxRetries: 0, onError() {}, telemetry }).stream),
  'an error within a stream': (telemetry) => {
    const failing = model([[text('He'), { type: 'error', error: new RangeError('too many words') }]], {
      reason: 'error',
    })
    return drained(streamText({ model: failing, prompt: 'Hi', onError() {}, telemetry }).stream)
  },
  'a stream that is aborted': async (telemetry) => {
    const controller = new AbortController()
    const { signal: abortSignal } = controller
    const { stream } = streamText({ model: model([], { doStream: stalled }), prompt: 'Hi', abortSignal, telemetry })
    for await (const { type } of stream) if (type === 'text-delta') controller.abort()
  },
  'a call that is aborted': (telemetry) => {
    const gone = Object.assign(new Error('gone'), { name: 'AbortError' })
    return ignored(generateText({ model: model([gone]), prompt: 'Hi', telemetry }))
  },
  object: (telemetry) =>
    generateObject({
      model: model([[text('{"city":"Rome"}')]], { url: 'https://api.test/v1' }),
      schema,
      schemaName: 'place',
      system: 'Be brief.',
      prompt: 'Where?',
      ...SETTINGS,
      telemetry: { ...telemetry, functionId: 'where' },
    }),
  'an object that is none': (telemetry) =>
    ignored(generateObject({ model: model([[text('Rome')]]), schema, prompt: 'Where?', telemetry })),
  'streamed object': (telemetry) =>
    drained(
      streamObject({ model: model([[text('{"city":"Rome"}')]]), schema, prompt: 'Where?', telemetry }).fullStream,
    ),
  embedding: (telemetry) => embed({ model: embedder as never, value: 'a', telemetry }),
  'an embedding that fails': (telemetry) =>
    ignored(embed({ model: brokenEmbedder as never, value: 'a', maxRetries: 0, telemetry })),
  embeddings: (telemetry) => embedMany({ model: embedder as never, values: ['a', 'b', 'c'], telemetry }),
  reranking: (telemetry) => rerank({ model: reranker as never, documents, query: 'c', topN: 1, telemetry }),
}

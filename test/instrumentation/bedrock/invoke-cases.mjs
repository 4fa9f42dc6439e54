import { collect, dropHalfRead, errorOf, QUESTION, readUntil, WEATHER, WEATHER_QUESTION } from '../harness/kit.mjs'

// The commands that speak to each model in its own words.

const userMessages = (content) => [{ role: 'user', content }]
const { parameters, ...described } = WEATHER
const openaiTools = [{ type: 'function', function: WEATHER }]
const claude = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 100 }
const nova = { schemaVersion: 'messages-v1', messages: userMessages([{ text: QUESTION }]) }
const titan = {
  inputText: QUESTION,
  textGenerationConfig: { maxTokenCount: 100, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
}

/** A model, and a question in its words. */
const FAMILIES = {
  'anthropic.claude-3-5-haiku-20241022-v1:0': { ...claude, system: 'Be brief.', messages: userMessages(QUESTION) },
  'amazon.nova-lite-v1:0': {
    ...nova,
    system: [{ text: 'Be brief.' }],
    inferenceConfig: { max_new_tokens: 100, temperature: 0.5, topP: 0.9, topK: 20 },
  },
  'amazon.titan-text-express-v1': titan,
  'meta.llama3-1-8b-instruct-v1:0': { prompt: QUESTION, max_gen_len: 100, temperature: 0.5, top_p: 0.9 },
  'mistral.mistral-7b-instruct-v0:2': { prompt: QUESTION, max_tokens: 100, temperature: 0.5, stop: ['END'] },
  'mistral.pixtral-large-2502-v1:0': { messages: userMessages(QUESTION), max_tokens: 100 },
  'deepseek.r1-v1:0': { prompt: QUESTION, max_tokens: 100, temperature: 0.5 },
  'openai.gpt-oss-20b-1:0': { messages: userMessages(QUESTION), max_completion_tokens: 100, reasoning_effort: 'low' },
  'qwen.qwen3-32b-v1:0': { messages: userMessages(QUESTION), max_tokens: 100 },
  'ai21.jamba-1-5-mini-v1:0': { messages: userMessages(QUESTION), max_tokens: 100, temperature: 0.5 },
  'cohere.command-r-v1:0': {
    message: QUESTION,
    preamble: 'Be brief.',
    chat_history: [
      { role: 'USER', message: 'Hi' },
      { role: 'CHATBOT', message: 'Hello' },
    ],
    p: 0.9,
  },
  'cohere.command-text-v14': { prompt: QUESTION, max_tokens: 100, p: 0.9, k: 40 },
}

const invoke = async ({ client, exports: { InvokeModelCommand } }, modelId, body, options) => {
  const input = {
    modelId,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    contentType: 'application/json',
  }
  const answer = await client.send(new InvokeModelCommand(input), options)
  return JSON.parse(new TextDecoder().decode(answer.body))
}
const stream = async ({ client, exports: { InvokeModelWithResponseStreamCommand } }, modelId, body, options) => {
  const input = { modelId, body: JSON.stringify(body), contentType: 'application/json' }
  return (await client.send(new InvokeModelWithResponseStreamCommand(input), options)).body
}
const eventOf = ({ chunk }) => JSON.parse(new TextDecoder().decode(chunk.bytes))
const read = async (chunks) => (await collect(chunks)).map(eventOf)
const wordOf = (event) => eventOf(event).delta?.text
const CLAUDE = 'anthropic.claude-3-5-haiku-20241022-v1:0'
const ask = FAMILIES[CLAUDE]

export const invokeCases = {
  ...Object.fromEntries(
    Object.entries(FAMILIES).map(([modelId, body]) => [`invoked: ${modelId}`, (kit) => invoke(kit, modelId, body)]),
  ),
  ...Object.fromEntries(
    Object.entries(FAMILIES).map(([modelId, body]) => [
      `invoked, streamed: ${modelId}`,
      async (kit) => read(await stream(kit, modelId, body)),
    ]),
  ),
  'invoked: tools of Claude': async (kit) => {
    const tools = [{ ...described, input_schema: parameters }]
    const weather = { ...claude, messages: userMessages(WEATHER_QUESTION), tools }
    return [await invoke(kit, CLAUDE, weather), await read(await stream(kit, CLAUDE, weather))]
  },
  'invoked: tools of Nova': async (kit) => {
    const toolConfig = { tools: [{ toolSpec: { ...described, inputSchema: { json: parameters } } }] }
    const weather = { ...nova, messages: userMessages([{ text: WEATHER_QUESTION }]), toolConfig }
    return [
      await invoke(kit, 'amazon.nova-pro-v1:0', weather),
      await read(await stream(kit, 'amazon.nova-pro-v1:0', weather)),
    ]
  },
  'invoked: tools of Mistral': async (kit) => {
    const weather = { messages: userMessages(WEATHER_QUESTION), tools: openaiTools }
    const modelId = 'mistral.mistral-large-2407-v1:0'
    return [await invoke(kit, modelId, weather), await read(await stream(kit, modelId, weather))]
  },
  'invoked: tools of Command R': async (kit) => {
    const properties = { city: { type: 'str', required: true } }
    const tools = [{ ...described, parameter_definitions: properties }]
    const weather = { message: WEATHER_QUESTION, tools }
    return [
      await invoke(kit, 'cohere.command-r-v1:0', weather),
      await read(await stream(kit, 'cohere.command-r-v1:0', weather)),
    ]
  },
  'invoked by the ARN of a profile': async (kit) => [
    await invoke(kit, `arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.${CLAUDE}`, ask),
    await invoke(kit, 'us.anthropic.claude-sonnet-4-20250514-v1:0', ask),
  ],
  'invoked with bytes': (kit) => {
    const { client, exports } = kit
    const body = new TextEncoder().encode(JSON.stringify(ask))
    return client.send(new exports.InvokeModelCommand({ modelId: CLAUDE, body })).then((answer) => answer.contentType)
  },
  'invoked: embeddings': async (kit) => [
    await invoke(kit, 'amazon.titan-embed-text-v2:0', { inputText: QUESTION, dimensions: 4 }),
    await invoke(kit, 'cohere.embed-english-v3', { texts: ['a', 'b'], input_type: 'search_query' }),
  ],
  'invoked: a model nobody knows': async (kit) => [
    await invoke(kit, 'acme.thinker-v1', { input: QUESTION }),
    await read(await stream(kit, 'acme.thinker-v1', { input: QUESTION })),
    await invoke(kit, 'acme.embedder-v1', { inputText: QUESTION }),
  ],
  'invoked: a body that is no JSON': async (kit) =>
    [await errorOf(invoke(kit, 'meta.llama3-1-8b-instruct-v1:0', 'not JSON'))].map((error) => error.message),
  'invoked: error on a stream': async (kit) => (await errorOf(stream(kit, 'anthropic.claude-error-400', ask))).message,
  'invoked: left early': async (kit) =>
    (await readUntil(await stream(kit, 'anthropic.claude-stall', ask), (event) => wordOf(event) === ' word')).length,
  'invoked: aborted during the answer': async (kit) => {
    const controller = new AbortController()
    const { signal: abortSignal } = controller
    const events = await stream(kit, 'anthropic.claude-stall', ask, { abortSignal })
    const reading = readUntil(events, (event) => {
      if (wordOf(event) === ' word') controller.abort()
    })
    return (await errorOf(reading))?.name
  },
  'invoked: abandoned, half read': async (kit) => (await dropHalfRead(await stream(kit, CLAUDE, ask))).length,
}

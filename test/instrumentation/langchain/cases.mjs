import { setTimeout as wait } from 'node:timers/promises'
import { startActiveObservation, startObservation } from '@svc/tracing'
import { collect, fiftyAtOnce, QUESTION, readUntil, SCHEMA, WEATHER, WEATHER_QUESTION } from '../harness/kit.mjs'
import { chainOf, connect } from './chain.mjs'
import { endings } from './endings.mjs'
import { graphs } from './graphs.mjs'
import { parts } from './parts.mjs'

export { connect } from './chain.mjs'
export { load } from './modules.mjs'

function weatherTool({ exports: { tool } }) {
  return tool(
    ({ city }) => {
      startObservation('looking outside').end()
      return `sunny in ${city}`
    },
    { ...WEATHER, schema: WEATHER.parameters },
  )
}

function agentOf(kit) {
  return kit.exports.createReactAgent({ llm: kit.client, tools: [weatherTool(kit)], name: 'forecaster' })
}

const weather = { messages: [{ role: 'user', content: WEATHER_QUESTION }] }
const textsOf = (messages) => messages.map(({ content }) => content)

export const cases = {
  chain: (kit) =>
    chainOf(kit).invoke(
      { question: QUESTION },
      {
        runName: 'answer',
        tags: ['docs'],
        metadata: { svcUserId: 'u-1', svcSessionId: 's-1', plan: 'pro', seats: 5 },
      },
    ),
  'chat model': (kit) => {
    const { HumanMessage, SystemMessage } = kit.exports
    const model = connect(kit, { temperature: 0.5, topP: 0.9, maxTokens: 100, frequencyPenalty: 0.1, stop: ['END'] })
    return model.invoke([new SystemMessage('Be brief.'), new HumanMessage(QUESTION)])
  },
  'text model': ({ exports: { OpenAI }, url }) =>
    new OpenAI({
      model: 'gpt-3.5-turbo-instruct',
      apiKey: 'none',
      configuration: { baseURL: `${url}/v1` },
    }).invoke(QUESTION),
  reasoning: (kit) => connect(kit, { model: 'o4-mini' }).invoke(QUESTION),
  picture: ({ client }) =>
    client.invoke([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        ],
      },
    ]),
  streamed: async ({ client }) => textsOf(await collect(await client.stream(QUESTION))),
  'streamed chain': async (kit) => collect(await chainOf(kit).stream({ question: QUESTION })),
  'events of a chain': async (kit) => {
    const events = await collect(chainOf(kit).streamEvents({ question: QUESTION }, { version: 'v2' }))
    return events.map(({ event, name }) => [event, name])
  },
  tools: async (kit) => {
    const { AIMessage: _, HumanMessage } = kit.exports
    const tools = [weatherTool(kit)]
    const model = kit.client.bindTools(tools, { tool_choice: 'auto' })
    const messages = [new HumanMessage(WEATHER_QUESTION)]
    const aiMessage = await model.invoke(messages)
    const answers = await Promise.all(aiMessage.tool_calls.map((call) => tools[0].invoke(call)))
    return model.invoke([...messages, aiMessage, ...answers])
  },
  'streamed tools': async (kit) => {
    const chunks = await collect(await kit.client.bindTools([weatherTool(kit)]).stream(WEATHER_QUESTION))
    return chunks.map(({ tool_call_chunks }) => tool_call_chunks)
  },
  'structured output': ({ client }) =>
    client.withStructuredOutput(SCHEMA, { method: 'jsonSchema', name: 'place', strict: true }).invoke(QUESTION),
  'agent of LangGraph 0.4': {
    before: 1,
    does: async (kit) => textsOf((await agentOf(kit).invoke(weather)).messages),
  },
  agent: { since: 1, does: async (kit) => textsOf((await agentOf(kit).invoke(weather)).messages) },
  'streamed agent': {
    since: 1,
    does: async (kit) =>
      (await collect(await agentOf(kit).stream(weather, { streamMode: 'updates' }))).map(Object.keys),
  },
  'agent left early': {
    since: 1,
    does: async (kit) =>
      (await readUntil(await agentOf(kit).stream(weather, { streamMode: 'updates' }), () => true)).map(Object.keys),
  },
  graph: {
    since: 1,
    does: async ({ exports: { Annotation, StateGraph, START, END }, client }) => {
      const graph = new StateGraph(Annotation.Root({ steps: Annotation({ reducer: (a, b) => [...a, ...b] }) }))
        .addNode('first', () =>
          startActiveObservation('own work', async () => ({ steps: [(await client.invoke('One')).content] })),
        )
        .addNode('second', async () => ({ steps: ['second'] }))
        .addEdge(START, 'first')
        .addEdge('first', 'second')
        .addEdge('second', END)
        .compile()
      return graph.invoke({ steps: ['begin'] })
    },
  },
  'interrupted graph': {
    since: 1,
    does: async ({ exports: { Annotation, Command, interrupt, MemorySaver, START, StateGraph } }) => {
      const graph = new StateGraph(Annotation.Root({ answer: Annotation() }))
        .addNode('ask', () => ({ answer: interrupt('Go on?') }))
        .addEdge(START, 'ask')
        .compile({ checkpointer: new MemorySaver() })
      const config = { configurable: { thread_id: 't-1' } }
      await graph.invoke({ answer: '' }, config)
      return graph.invoke(new Command({ resume: 'yes' }), config)
    },
  },
  retriever: async ({ exports: { BaseRetriever, Document, OpenAIEmbeddings }, url }) => {
    const embeddings = new OpenAIEmbeddings({
      model: 'text-embedding-3-small',
      apiKey: 'none',
      configuration: { baseURL: `${url}/v1` },
    })
    class Notes extends BaseRetriever {
      lc_namespace = ['notes']
      async _getRelevantDocuments(query) {
        await embeddings.embedQuery(query)
        return [new Document({ pageContent: 'A span has a beginning and an end.', metadata: { page: 1 } })]
      }
    }
    return new Notes().invoke(QUESTION)
  },
  'work of the application': ({ exports: { RunnableLambda }, client }) =>
    RunnableLambda.from(async (question) => {
      startObservation('before').end()
      const { content } = await startActiveObservation('inside', () => client.invoke(question))
      startObservation('after').end()
      return content
    })
      .withConfig({ runName: 'lambda' })
      .invoke(QUESTION),
  'a hidden step': ({ exports: { RunnableLambda } }) =>
    RunnableLambda.from((value) => value + 1)
      .withConfig({ tags: ['langsmith:hidden'] })
      .invoke(1),
  'branches at once': ({ exports: { RunnableMap } }) =>
    RunnableMap.from({ one: () => 1, two: () => 2 }).invoke('which?'),
  'a prompt of the service': (kit) => {
    const { ChatPromptTemplate } = kit.exports
    const prompt = ChatPromptTemplate.fromTemplate('{question}').withConfig({
      metadata: { svcPrompt: { name: 'ask', version: 3 } },
    })
    return prompt.pipe(kit.client).invoke({ question: QUESTION })
  },
  cached: {
    // Of a question that the cache had no answer to it began two runs at first, and ended one.
    since: '0.3.80',
    does: async (kit) => {
      const model = connect(kit, { cache: new kit.exports.InMemoryCache() })
      return [(await model.invoke(QUESTION)).content, (await model.invoke(QUESTION)).content]
    },
  },
  ...endings,
  anthropic: {
    since: 1,
    does: async ({ exports: { ChatAnthropic }, url }) => {
      const model = new ChatAnthropic({ model: 'claude-test', apiKey: 'none', anthropicApiUrl: url })
      return [(await model.invoke(QUESTION)).content, textsOf(await collect(await model.stream(QUESTION)))]
    },
  },
  'a handler of the application': {
    since: 1,
    does: async (kit) => {
      const { CallbackHandler } = await import('@svc/langchain')
      const handler = new CallbackHandler({ userId: 'u-2', tags: ['own'], traceMetadata: { seats: 5 } })
      return chainOf(kit).invoke({ question: QUESTION }, { callbacks: [handler] })
    },
  },
  // It told of all answers with each of them.
  'a batch of a chain, before version 1': { before: 1, does: batchOfChain },
  'a batch of a chain': { since: 1, does: batchOfChain },
  'a handler of one model': {
    since: 1,
    does: async (kit) => {
      const { CallbackHandler } = await import('@svc/langchain')
      const chain = chainOf(kit, connect(kit, { callbacks: [new CallbackHandler()] }))
      // What begins in the same millisecond has no order, and the spans of the handler travel apart.
      const { formatPromptValue } = chain.first
      chain.first.formatPromptValue = async (values) => {
        const prompt = await formatPromptValue.call(chain.first, values)
        await wait(5)
        return prompt
      }
      return chain.invoke({ question: QUESTION })
    },
  },
  ...parts,
  ...graphs,
  '50 in a batch': async ({ client }) => {
    const numbers = Array.from({ length: 50 }, (_, index) => String(index).padStart(2, '0'))
    return textsOf(await client.batch(numbers.map((number) => `Question ${number}?`)))
  },
  '50 at once': (kit) =>
    fiftyAtOnce(async (number) => {
      const question = { question: `Question ${number}?` }
      if (Number(number) % 2) return chainOf(kit).invoke(question)
      return (await collect(await chainOf(kit).stream(question))).join('')
    }),
}

function batchOfChain(kit) {
  const client = connect(kit, { configuration: { fetch: oneByOne() } })
  return chainOf(kit, client).batch([{ question: 'One?' }, { question: 'Two?' }])
}

/** Answers arrive in the order of the questions: the last of them is that of the whole trace. */
function oneByOne() {
  let before
  return async (...request) => {
    const mine = Promise.resolve(before).then(() => fetch(...request))
    before = mine.then((response) => response.clone().text())
    return mine
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import { collect, errorOf, WEATHER } from '../harness/kit.mjs'

/** A state that collects what its nodes say. */
function stateOf({ Annotation }) {
  return Annotation.Root({ steps: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }) })
}

/** Begins at once with every node, one after the other done. */
function parallel({ exports }) {
  const { END, START, StateGraph } = exports
  const graph = new StateGraph(stateOf(exports))
  for (const [index, name] of ['first', 'second'].entries()) {
    graph.addNode(name, async () => {
      await wait(5 + 20 * index)
      return { steps: [name] }
    })
    graph.addEdge(START, name).addEdge(name, END)
  }
  return graph.compile()
}

/** Goes on until it is stopped. */
function endless({ exports }, started = () => {}) {
  const { END, START, StateGraph } = exports
  const endure = () => {
    started()
    // A timer, because that of a timeout does not keep a process alive.
    return wait(60_000)
  }
  const graph = new StateGraph(stateOf(exports)).addNode('endure', endure)
  return graph.addEdge(START, 'endure').addEdge('endure', END).compile()
}

const cases = {
  'nodes at once': async (kit) => (await parallel(kit).invoke({ steps: [] })).steps.sort(),
  'a graph in a graph': ({ exports, client }) => {
    const { END, START, StateGraph } = exports
    const inner = new StateGraph(stateOf(exports))
      .addNode('ask', async () => ({ steps: [(await client.invoke('One')).content] }))
      .addEdge(START, 'ask')
      .addEdge('ask', END)
      .compile()
    return new StateGraph(stateOf(exports))
      .addNode('inner', inner)
      .addEdge(START, 'inner')
      .addEdge('inner', END)
      .compile()
      .invoke({ steps: [] })
  },
  'events of a graph': async (kit) => {
    const events = await collect(parallel(kit).streamEvents({ steps: [] }, { version: 'v2' }))
    return events.map(({ event, name }) => `${event} ${name}`).sort()
  },
  // The model streams for whoever reads them, though it was not asked to.
  'events of a graph in version 3': async ({ exports, client }) => {
    const { END, START, StateGraph } = exports
    const graph = new StateGraph(stateOf(exports))
      .addNode('ask', async () => ({ steps: [(await client.invoke('One')).content] }))
      .addEdge(START, 'ask')
      .addEdge('ask', END)
      .compile()
    const events = await collect(await graph.streamEvents({ steps: [] }, { version: 'v3' }))
    const spoken = events.filter(({ method }) => method === 'messages')
    return spoken.map(({ params }) => params.data.event)
  },
  'a graph that fails': ({ exports }) => {
    const { END, START, StateGraph } = exports
    const fail = () => {
      throw new RangeError('cannot go on')
    }
    const graph = new StateGraph(stateOf(exports)).addNode('fail', fail).addEdge(START, 'fail').addEdge('fail', END)
    return errorOf(graph.compile().invoke({ steps: [] }))
  },
  'an aborted graph': ({ exports }) => {
    const { END, START, StateGraph } = exports
    const controller = new AbortController()
    const wonder = async (_, { signal }) => {
      controller.abort(new DOMException('enough', 'AbortError'))
      await wait(1_000, undefined, { signal }).catch(() => {})
      return { steps: ['never'] }
    }
    const graph = new StateGraph(stateOf(exports)).addNode('wonder', wonder)
    graph.addEdge(START, 'wonder').addEdge('wonder', END)
    return errorOf(graph.compile().invoke({ steps: [] }, { signal: controller.signal })).then(({ name }) => name)
  },
  'a graph aborted from outside': (kit) => {
    const controller = new AbortController()
    const graph = endless(kit, () => setImmediate(() => controller.abort()))
    return errorOf(graph.invoke({ steps: [] }, { signal: controller.signal })).then(({ name }) => name)
  },
  'a graph that takes too long': (kit) =>
    errorOf(endless(kit).invoke({ steps: [] }, { timeout: 500 })).then(({ name }) => name),
  'an agent with middleware': async ({ exports, client }) => {
    const { createAgent, createMiddleware, tool } = exports
    const look = async ({ city }) => {
      await wait(5)
      return `sunny in ${city}`
    }
    const tools = [tool(look, { ...WEATHER, schema: WEATHER.parameters })]
    const counting = createMiddleware({ name: 'Counting', beforeModel: () => undefined })
    const agent = createAgent({ model: client, tools, middleware: [counting], systemPrompt: 'Be brief.' })
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'How is the weather in Paris?' }] })
    return messages.map(({ content }) => content)
  },
}

export const graphs = Object.fromEntries(Object.entries(cases).map(([title, does]) => [title, { since: 1, does }]))

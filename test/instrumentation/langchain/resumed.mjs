export const libraries = ['./v1/node_modules/@langchain/langgraph/dist/index.js']

/** Runs until a node asks, and gives what the checkpointer has kept for another process; or goes on from it. */
export async function run([exports], _url, paused) {
  const { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } = exports
  const checkpointer = new MemorySaver()
  if (paused !== undefined) Object.assign(checkpointer, JSON.parse(paused, revive))
  const graph = new StateGraph(Annotation.Root({ answer: Annotation() }))
    .addNode('ask', () => ({ answer: interrupt('Go on?') }))
    .addEdge(START, 'ask')
    .addEdge('ask', END)
    .compile({ checkpointer })
  const config = { configurable: { thread_id: 'thread-1' } }
  await graph.invoke(paused === undefined ? { answer: '' } : new Command({ resume: 'yes' }), config)
  const { storage, writes } = checkpointer
  return JSON.stringify({ storage, writes }, (_, value) =>
    value instanceof Uint8Array ? { bytes: [...value] } : value,
  )
}

const revive = (_, value) => (value?.bytes ? Uint8Array.from(value.bytes) : value)

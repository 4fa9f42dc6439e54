import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { instrumentLangChain } from './instrument.ts'

recordSpans()
afterEach(forgetSpans)

const load = createRequire(fileURLToPath(new URL('../../../../test/instrumentation/langchain/v1/', import.meta.url)))
for (const name of ['callbacks/manager', 'singletons', 'runnables', 'utils/stream'])
  instrumentLangChain(load(`@langchain/core/${name}`))
const { Annotation, Command, END, entrypoint, interrupt, MemorySaver, START, StateGraph, task } =
  load('@langchain/langgraph')
const { RunnableLambda } = load('@langchain/core/runnables')

const State = Annotation.Root({ plan: Annotation(), done: Annotation() })

/** A graph of two nodes, alone or as a node of another one. */
function graphOf(options: object, isNested: boolean) {
  const inner = new StateGraph(State)
    .addNode('think', () => ({ plan: 'delete' }))
    .addNode('act', () => ({ done: true }))
    .addEdge(START, 'think')
    .addEdge('think', 'act')
    .addEdge('act', END)
  if (!isNested) return inner.compile({ checkpointer: new MemorySaver(), ...options })
  const outer = new StateGraph(State).addNode('inner', inner.compile(options)).addEdge(START, 'inner')
  return outer.addEdge('inner', END).compile({ checkpointer: new MemorySaver() })
}

function rootOf(): unknown[] {
  const root = finishedSpans().at(-1)
  const { 'svc.observation.status_message': status, 'svc.observation.output': output } = root?.attributes ?? {}
  return [root?.name, status, JSON.parse(String(output)), root?.links.length]
}

it.each([
  ['before a node', { interruptBefore: ['act'] }, false],
  ['after a node', { interruptAfter: ['think'] }, false],
  ['in a subgraph', { interruptBefore: ['act'] }, true],
])(
  'a graph that stops at a breakpoint %s is interrupted, and linked to the run that resumes it',
  async (title, options, isNested) => {
    const graph = graphOf(options, isNested)
    const config = { configurable: { thread_id: title } }
    await graph.invoke({ plan: 'none' }, config)
    const plan = isNested ? 'none' : 'delete'
    expect(rootOf()).toEqual(['LangGraph', 'interrupted', { plan, __interrupt__: [] }, 0])
    for await (const _ of await graph.stream(null, { ...config, streamMode: ['updates', 'custom'], subgraphs: true }));
    expect(rootOf()).toEqual(['LangGraph', undefined, { plan: 'delete', done: true }, 1])
  },
)

const asking = () =>
  new StateGraph(State)
    .addNode('ask', () => ({ done: interrupt('Really?') }))
    .addEdge(START, 'ask')
    .addEdge('ask', END)
    .compile({ checkpointer: new MemorySaver() })
const question = { __interrupt__: [{ value: 'Really?' }] }

it.each([
  ['updates', ['updates'], false],
  ['values, with the modes and the paths of subgraphs', ['values', 'custom'], true],
])(
  'a graph whose question is the last that is read of its stream of %s is interrupted',
  async (title, streamMode, subgraphs) => {
    const graph = asking()
    const config = { configurable: { thread_id: title } }
    for await (const chunk of await graph.stream({ plan: 'none' }, { ...config, streamMode, subgraphs }))
      if (JSON.stringify(chunk).includes('__interrupt__')) break
    expect(rootOf()).toEqual(['LangGraph', 'interrupted', question, 0])
    await graph.invoke(new Command({ resume: 'yes' }), config)
    expect(rootOf()).toEqual(['LangGraph', undefined, { plan: 'none', done: 'yes' }, 1])
  },
)

it('a graph within another run is linked to the run that it resumes', async () => {
  const graph = asking()
  const around = RunnableLambda.from((input: unknown) => graph.invoke(input, { configurable: { thread_id: 'inside' } }))
  const linksOfGraph = () => finishedSpans().find(({ name }) => name === 'LangGraph')?.links.length
  await around.invoke({ plan: 'none' })
  expect(linksOfGraph()).toBe(0)
  forgetSpans()
  await around.invoke(new Command({ resume: 'yes' }))
  expect(linksOfGraph()).toBe(1)
})

it('what a task asks is one question of its workflow', async () => {
  const ask = task('ask', async () => interrupt('Really?'))
  const flow = entrypoint({ name: 'flow', checkpointer: new MemorySaver() }, () => ask())
  await flow.invoke('Hi', { configurable: { thread_id: 'workflow' } })
  expect(rootOf()).toEqual(['flow', 'interrupted', question, 0])
})

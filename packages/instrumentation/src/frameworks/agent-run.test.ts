import { afterEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { patchAgentKit, patchBeeAi, patchLlamaIndex, patchPi } from './patches.ts'

recordSpans()
afterEach(forgetSpans)

/** The recorded spans as `name < name of the parent`. */
function lines(): string[] {
  const spans = finishedSpans()
  const parentOf = (id: string | undefined) => spans.find((span) => span.spanContext().spanId === id)?.name ?? ''
  return spans.map(({ name, parentSpanContext }) => `${name} < ${parentOf(parentSpanContext?.spanId)}`)
}

interface Tool {
  readonly name: string
  readonly handler: (input: { readonly input?: string }) => unknown
}

/** As AgentKit's. */
function createAgentKit() {
  class Agent {
    readonly name: string
    readonly #next: Agent | undefined
    readonly tools: Tool[] = []
    constructor(name: string, tools: Tool[], next?: Agent) {
      this.name = name
      this.#next = next
      this.setTools(tools)
    }
    setTools(tools: Tool[]) {
      this.tools.push(...tools)
    }
    async run(input: string): Promise<unknown> {
      const [tool] = this.tools
      return (await tool?.handler({ input })) ?? this.#next?.run(input)
    }
  }
  patchAgentKit({ Agent })
  return Agent
}

it('a run of an agent is one span, with its tools and the agents that it runs', async () => {
  const Agent = createAgentKit()
  const look: Tool = { name: 'look', handler: ({ input }) => `saw ${input}` }
  const helper = new Agent('helper', [look])
  expect(await new Agent('guide', [], helper).run('Rome')).toBe('saw Rome')
  expect(lines()).toEqual([
    'execute_tool look < invoke_agent helper',
    'invoke_agent helper < invoke_agent guide',
    'invoke_agent guide < ',
  ])
  expect(finishedSpans().at(-1)?.attributes['svc.observation.input']).toBe('Rome')
  expect(JSON.stringify(helper.tools)).toBe('[{"name":"look"}]')
})

it('a run that fails is an error, with that of its tool', async () => {
  const Agent = createAgentKit()
  const handler = () => Promise.reject(new Error('closed'))
  await expect(new Agent('guide', [{ name: 'look', handler }]).run('Rome')).rejects.toThrow('closed')
  expect(finishedSpans().map(({ name, status }) => [name, status.message])).toEqual([
    ['execute_tool look', 'closed'],
    ['invoke_agent guide', 'closed'],
  ])
})

it('a tool outside of a run is the application’s own', async () => {
  const Agent = createAgentKit()
  const [tool] = new Agent('guide', [{ name: 'look', handler: () => 'seen' }]).tools
  expect(tool?.handler({})).toBe('seen')
  expect(lines()).toEqual([])
})

it('methods of one agent that call each other are one run, which is over when its last event says so', async () => {
  let tell = (_: unknown) => {}
  class AgentWorkflow {
    readonly rootAgentName = 'guide'
    async run(input: string) {
      return this.runStream(input)
    }
    runStream(_: string) {
      return { on: (_: unknown, listener: () => void) => (tell = listener) }
    }
  }
  patchLlamaIndex({ AgentWorkflow })
  await new AgentWorkflow().run('Rome')
  expect(lines()).toEqual(['invoke_agent guide < '])
  new AgentWorkflow().runStream('Rome')
  expect(lines()).toHaveLength(1)
  tell('stop')
  expect(lines()).toHaveLength(2)
})

it('tools of Pi are recorded in the snapshot that a run works with, not in the agent', async () => {
  const tool = { name: 'look', execute: async (_: string, input: unknown) => input }
  class Agent {
    readonly tools = [tool]
    createContextSnapshot() {
      return { systemPrompt: '', tools: this.tools }
    }
    async prompt(input: unknown) {
      await this.createContextSnapshot().tools[0]?.execute('call_1', input)
    }
  }
  patchPi({ Agent })
  const agent = new Agent()
  await agent.prompt('Rome')
  expect(lines()).toEqual(['execute_tool look < invoke_agent pi', 'invoke_agent pi < '])
  expect(finishedSpans()[0]?.attributes['gen_ai.tool.call.id']).toBe('call_1')
  expect(agent.tools).toEqual([tool])
})

it('what BeeAI enters is the run of an agent, or the call of a tool within one', async () => {
  const RunContext = {
    async enter<T>(_subject: object, _options: object, work: () => Promise<T>): Promise<T> {
      return work()
    },
  }
  patchBeeAi({ RunContext })
  const tool = { name: 'look', inputSchema: () => ({}) }
  const look = () => RunContext.enter(tool, { params: [{ city: 'Rome' }] }, async () => 'seen')
  const guide = { isRunning: false, meta: { name: 'guide' } }
  const model = () => RunContext.enter({ modelId: 'gpt-test' }, { params: [] }, look)
  expect(await RunContext.enter(guide, { params: [{ prompt: 'Rome' }] }, model)).toBe('seen')
  expect(await look()).toBe('seen')
  expect(lines()).toEqual(['execute_tool look < invoke_agent guide', 'invoke_agent guide < '])
  expect(finishedSpans().map(({ attributes }) => attributes['svc.observation.input'])).toEqual([
    '{"city":"Rome"}',
    '{"prompt":"Rome"}',
  ])
})

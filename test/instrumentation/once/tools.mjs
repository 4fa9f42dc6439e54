// Tools of each library whose functions run in this process: node tools.mjs <title> <what the weather is>
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { observe, startActiveObservation } from '@svc/tracing'
import { z } from 'zod'
import { agentsRun, KEY, WEATHER, weatherClient } from './clients.mjs'

const { TOOLS_RUN, OPENAI_BASE_URL: baseURL } = process.env
const [title, weather] = process.argv.slice(2)
const load = (name) => import(name)
const url = baseURL.replace(/\/v1$/, '')

/** A tool that runs leaves a line. */
const run = ({ city }) => {
  appendFileSync(TOOLS_RUN, `${city}\n`)
  return { city, weather }
}
const parameters = z.object({ city: z.string() })
const described = { description: 'The weather of a city' }

const aiSdk = (name) => async () => {
  const require = createRequire(new URL(`../${name}/`, import.meta.url))
  const { generateText, stepCountIs, tool } = require(name)
  const { createOpenAI } = require('@ai-sdk/openai')
  const model = createOpenAI({ apiKey: KEY, baseURL }).chat('gpt-test')
  const tools = { weather: tool({ ...described, inputSchema: parameters, execute: async (input) => run(input) }) }
  const { steps } = await generateText({ model, tools, prompt: WEATHER, stopWhen: stepCountIs(3) })
  return steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))
}

const KINDS = {
  observe: async () => {
    const [look, lookNow] = [async (input) => run(input), run].map((fn) =>
      observe(fn, { name: 'look', asType: 'tool' }),
    )
    return [await look({ city: 'Paris' }).then((seen) => seen), lookNow({ city: 'Rome' })]
  },
  'another input': () => observe(run, { name: 'look', asType: 'tool' })({ city: weather }),
  'a tool that fails': async () => {
    const fail = async (input) => {
      run(input)
      throw new Error(`it is ${weather}`)
    }
    return observe(fail, { name: 'fail', asType: 'tool' })({ city: 'Oslo' }).catch(({ message }) => message)
  },
  'AI SDK 7': aiSdk('ai-7'),
  'AI SDK 6': aiSdk('ai-6'),
  'AI SDK 5': aiSdk('ai-5'),
  agents: async () => {
    const { tool } = await load('@openai/agents')
    const look = tool({ name: 'weather', ...described, parameters, execute: async (input) => run(input) })
    return agentsRun({ load, url }, { useResponses: false }, { tools: [look] })
  },
  LangChain: async () => {
    const { tool } = await load('@langchain/core/tools')
    const look = tool(async (input) => JSON.stringify(run(input)), {
      name: 'weather',
      ...described,
      schema: parameters,
    })
    const call = { type: 'tool_call', id: 'call_1', name: 'weather', args: { city: 'Paris' } }
    return [await look.invoke({ city: 'Rome' }), (await look.invoke(call)).content]
  },
  mcp: async () => {
    const client = await weatherClient({ load, look: (input) => JSON.stringify(run(input)) })
    const { content } = await client.callTool({ name: 'weather', arguments: { city: 'Paris' } })
    return content
  },
  'openai runTools': async () => {
    const { OpenAI } = await load('openai-7')
    const client = new OpenAI({ apiKey: KEY, baseURL })
    const tool = { ...described, name: 'weather', parse: JSON.parse, function: async (input) => run(input) }
    const tools = [{ type: 'function', function: { ...tool, parameters: z.toJSONSchema(parameters) } }]
    const messages = [{ role: 'user', content: WEATHER }]
    const runner = client.chat.completions.runTools({ model: 'gpt-test', messages, tools })
    await runner.done()
    return runner.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  },
}

const result = await startActiveObservation('application', KINDS[title])
process.stdout.write(JSON.stringify(result), () => process.exit())

import { createAgent, createNetwork, createTool, openai } from '@inngest/agent-kit'
import { z } from 'zod'
import { apiKey, baseURL, QUESTION, tell, weather } from './weather.mjs'

const parameters = z.object({ city: z.string() })
const definition = { name: 'weather', description: 'The weather of a city', parameters }
const forecast = createTool({ ...definition, handler: async (input) => weather(input) })
const model = openai({ model: 'gpt-4o-mini', apiKey, baseUrl: `${baseURL}/` })
const agent = createAgent({ name: 'guide', system: 'Be brief.', model, tools: [forecast] })
const router = ({ callCount }) => (callCount < 2 ? agent : undefined)
const network = createNetwork({ name: 'network', agents: [agent], maxIter: 2, router })
const { state } = await network.run(QUESTION)
tell(state.results.at(-1).output[0].content)

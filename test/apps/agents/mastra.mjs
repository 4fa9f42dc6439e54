import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { joined, QUESTION, streams, tell, weather } from './weather.mjs'

const inputSchema = z.object({ city: z.string() })
const definition = { id: 'weather', description: 'The weather of a city', inputSchema }
const forecast = createTool({ ...definition, execute: async (input) => weather(input) })
const model = createOpenAI().chat('gpt-4o-mini')
const named = { id: 'guide', name: 'guide', instructions: 'Be brief.' }
const agent = new Agent({ ...named, model, tools: { weather: forecast } })
tell(streams ? await joined((await agent.stream(QUESTION)).textStream) : (await agent.generate(QUESTION)).text)

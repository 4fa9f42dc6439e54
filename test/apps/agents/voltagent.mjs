import { createOpenAI } from '@ai-sdk/openai'
import { Agent, createTool } from '@voltagent/core'
import { z } from 'zod'
import { joined, QUESTION, streams, tell, weather } from './weather.mjs'

const parameters = z.object({ city: z.string() })
const definition = { name: 'weather', description: 'The weather of a city', parameters }
const forecast = createTool({ ...definition, execute: async (input) => weather(input) })
const model = createOpenAI().chat('gpt-4o-mini')
const agent = new Agent({ name: 'guide', instructions: 'Be brief.', model, tools: [forecast] })
tell(streams ? await joined((await agent.streamText(QUESTION)).textStream) : (await agent.generateText(QUESTION)).text)
// It looks for models every hour, which keeps a program running.
process.exit()

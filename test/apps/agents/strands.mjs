import { Agent, tool } from '@strands-agents/sdk'
import { OpenAIModel } from '@strands-agents/sdk/models/openai'
import { z } from 'zod'
import { apiKey, baseURL, QUESTION, tell, weather } from './weather.mjs'

const inputSchema = z.object({ city: z.string() })
const forecast = tool({ name: 'weather', description: 'The weather of a city', inputSchema, callback: weather })
const model = new OpenAIModel({ api: 'chat', modelId: 'gpt-4o-mini', apiKey, clientConfig: { baseURL } })
const agent = new Agent({ model, tools: [forecast], printer: false })
tell(await agent.invoke(QUESTION))

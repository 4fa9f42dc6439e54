import { Agent, tool } from '@strands-agents/sdk'
import { OpenAIModel } from '@strands-agents/sdk/models/openai'
import { z } from 'zod'
import { apiKey, baseURL, QUESTION, streams, tell, weather } from './weather.mjs'

const inputSchema = z.object({ city: z.string() })
const forecast = tool({ name: 'weather', description: 'The weather of a city', inputSchema, callback: weather })
const model = new OpenAIModel({ api: 'chat', modelId: 'gpt-4o-mini', apiKey, clientConfig: { baseURL } })
const agent = new Agent({ model, tools: [forecast], printer: false })
if (streams) for await (const _ of agent.stream(QUESTION));
tell(streams ? agent.messages.at(-1).content[0].text : await agent.invoke(QUESTION))

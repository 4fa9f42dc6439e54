import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
import { QUESTION, streams, tell, weather } from './weather.mjs'

const schema = z.object({ city: z.string() })
const definition = { name: 'weather', description: 'The weather of a city', schema }
const forecast = tool(async (input) => weather(input), definition)
const agent = createAgent({ model: new ChatOpenAI({ model: 'gpt-4o-mini' }), tools: [forecast] })
const input = { messages: [{ role: 'user', content: QUESTION }] }
let state
if (streams) for await (state of await agent.stream(input, { streamMode: 'values' }));
else state = await agent.invoke(input)
tell(state.messages.at(-1).content)

import { Agent, run, tool } from '@openai/agents'
import { z } from 'zod'
import { QUESTION, streams, tell, weather } from './weather.mjs'

const parameters = z.object({ city: z.string() })
const definition = { name: 'weather', description: 'The weather of a city', parameters }
const forecast = tool({ ...definition, execute: async (input) => weather(input) })
const agent = new Agent({ name: 'guide', instructions: 'Be brief.', tools: [forecast], model: 'gpt-4o-mini' })
const result = await run(agent, QUESTION, { stream: streams })
if (streams) for await (const _ of result);
await result.completed
tell(result.finalOutput)

import { openai } from '@llamaindex/openai'
import { agent, agentStreamEvent } from '@llamaindex/workflow'
import { tool } from 'llamaindex'
import { z } from 'zod'
import { baseURL, QUESTION, streams, tell, weather } from './weather.mjs'

const parameters = z.object({ city: z.string() })
const forecast = tool({ name: 'weather', description: 'The weather of a city', parameters, execute: weather })
const additionalChatOptions = { stream_options: { include_usage: true } }
const guide = agent({ llm: openai({ model: 'gpt-4o-mini', baseURL, additionalChatOptions }), tools: [forecast] })
let answer = ''
if (streams)
  for await (const event of guide.runStream(QUESTION)) answer += agentStreamEvent.include(event) ? event.data.delta : ''
else answer = (await guide.run(QUESTION)).data.result
tell(answer)

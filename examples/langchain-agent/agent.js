import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { observe } from '@svc/tracing'
import { z } from 'zod'

const look = observe((city) => ({ city, degrees: 21, sky: 'clear' }), { name: 'look-outside' })

const weather = tool(({ city }) => look(city), {
  name: 'weather',
  description: 'The weather in a city, now.',
  schema: z.object({ city: z.string() }),
})

const agent = createReactAgent({ llm: new ChatOpenAI({ model: 'gpt-4.1-mini' }), tools: [weather], name: 'forecaster' })

const question = process.argv[2] ?? 'What is the weather in Paris and Rome?'

const { messages } = await agent.invoke(
  { messages: [{ role: 'user', content: question }] },
  { tags: ['travel'], metadata: { svcUserId: 'ada', svcSessionId: 'summer-trip' } },
)
console.log(messages.at(-1).content)

// A deep agent has tools of its own, of which the model uses none.
import { ChatOpenAI } from '@langchain/openai'
import { createDeepAgent } from 'deepagents'
import { streams, tell } from './weather.mjs'

const agent = createDeepAgent({ model: new ChatOpenAI({ model: 'gpt-4o-mini' }) })
const input = { messages: [{ role: 'user', content: 'Say hello.' }] }
let state
if (streams) for await (state of await agent.stream(input, { streamMode: 'values' }));
else state = await agent.invoke(input)
tell(state.messages.at(-1).content)

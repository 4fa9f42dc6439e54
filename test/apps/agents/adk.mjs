import { FunctionTool, InMemoryRunner, LlmAgent, StreamingMode } from '@google/adk'
import { z } from 'zod/v3'
import { QUESTION, streams, tell, weather } from './weather.mjs'

const parameters = z.object({ city: z.string() })
const forecast = new FunctionTool({
  name: 'weather',
  description: 'The weather of a city',
  parameters,
  execute: weather,
})
const agent = new LlmAgent({ name: 'guide', model: 'gemini-2.5-flash', instruction: 'Be brief.', tools: [forecast] })
const runner = new InMemoryRunner({ agent, appName: 'app' })
const session = await runner.sessionService.createSession({ appName: 'app', userId: 'user-1' })
const newMessage = { role: 'user', parts: [{ text: QUESTION }] }
const runConfig = { streamingMode: streams ? StreamingMode.SSE : StreamingMode.NONE }
let answer
for await (const { content } of runner.runAsync({ userId: 'user-1', sessionId: session.id, newMessage, runConfig }))
  answer = content?.parts?.[0]?.text ?? answer
tell(answer)

import { chat, toolDefinition } from '@tanstack/ai'
import { createOpenaiChat } from '@tanstack/ai-openai'
import { z } from 'zod'
import { apiKey, baseURL, joined, QUESTION, streams, tell, weather } from './weather.mjs'

const inputSchema = z.object({ city: z.string() })
const definition = toolDefinition({ name: 'weather', description: 'The weather of a city', inputSchema })
const forecast = definition.server(async (input) => weather(input))
const adapter = createOpenaiChat('gpt-4o-mini', apiKey, { baseURL })
const asked = { adapter, messages: [{ role: 'user', content: QUESTION }], tools: [forecast] }
async function* deltas() {
  for await (const { type, delta } of chat(asked)) if (type === 'TEXT_MESSAGE_CONTENT') yield delta
}
tell(streams ? await joined(deltas()) : await chat({ ...asked, stream: false }))

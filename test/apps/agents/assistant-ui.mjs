// The server side of assistant-ui: tools of the page beside its own.
import { createOpenAI } from '@ai-sdk/openai'
import { convertToModelMessages, stepCountIs, streamText, tool } from 'ai'
import { frontendTools } from 'assistant-stream/ai-sdk'
import { z } from 'zod'
import { QUESTION, tell, weather } from './weather.mjs'

const inputSchema = z.object({ city: z.string() })
const forecast = tool({ description: 'The weather of a city', inputSchema, execute: async (input) => weather(input) })
const page = frontendTools({ alert: { description: 'Shows a text', parameters: { type: 'object', properties: {} } } })
const messages = await convertToModelMessages([{ id: '1', role: 'user', parts: [{ type: 'text', text: QUESTION }] }])
const model = createOpenAI().chat('gpt-4o-mini')
const result = streamText({ model, messages, stopWhen: stepCountIs(4), tools: { weather: forecast, ...page } })
const body = await result.toUIMessageStreamResponse().text()
tell([...body.matchAll(/"delta":"(.*?)"/g)].map(([, delta]) => delta).join(''))

import { createOpenAI } from '@ai-sdk/openai'
import { generateText, stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'
import { joined, QUESTION, streams, tell, weather } from './weather.mjs'

const inputSchema = z.object({ city: z.string() })
const forecast = tool({ description: 'The weather of a city', inputSchema, execute: async (input) => weather(input) })
const model = createOpenAI().chat('gpt-4o-mini')
const asked = { model, prompt: QUESTION, stopWhen: stepCountIs(4), tools: { weather: forecast } }
tell(streams ? await joined(streamText(asked).textStream) : (await generateText(asked)).text)

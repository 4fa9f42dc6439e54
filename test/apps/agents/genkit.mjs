import { openAICompatible } from '@genkit-ai/compat-oai'
import { genkit, z } from 'genkit'
import { apiKey, baseURL, QUESTION, streams, tell, weather } from './weather.mjs'

const ai = genkit({ plugins: [openAICompatible({ name: 'compatible', apiKey, baseURL })] })
const inputSchema = z.object({ city: z.string() })
const definition = { name: 'weather', description: 'The weather of a city', inputSchema, outputSchema: z.string() }
const forecast = ai.defineTool(definition, async (input) => weather(input))
const asked = { model: 'compatible/gpt-4o-mini', prompt: QUESTION, tools: [forecast] }
const { text } = await (streams ? ai.generateStream(asked).response : ai.generate(asked))
tell(text)

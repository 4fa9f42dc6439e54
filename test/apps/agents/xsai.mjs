import { generateText, streamText } from 'xsai'
import { apiKey, baseURL, joined, streams, tell } from './weather.mjs'

const messages = [{ role: 'user', content: 'Say hello.' }]
const asked = { apiKey, baseURL: `${baseURL}/`, model: 'gpt-4o-mini', messages, streamOptions: { includeUsage: true } }
tell(streams ? await joined(streamText(asked).textStream) : (await generateText(asked)).text)

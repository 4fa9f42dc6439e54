import OpenAI from 'openai'
import { QUESTION, streams, tell, weather } from './weather.mjs'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const definition = { name: 'weather', description: 'The weather of a city', parameters }
const tools = [{ type: 'function', function: { ...definition, parse: JSON.parse, function: weather } }]
const asked = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: QUESTION }], tools }
const more = streams ? { stream: true, stream_options: { include_usage: true } } : {}
tell(await new OpenAI().chat.completions.runTools({ ...asked, ...more }).finalContent())

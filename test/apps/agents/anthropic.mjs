import Anthropic from '@anthropic-ai/sdk'
import { QUESTION, streams, tell, weather } from './weather.mjs'

const input_schema = { type: 'object', properties: { city: { type: 'string' } } }
const forecast = { name: 'weather', description: 'The weather of a city', input_schema, run: weather }
const asked = { model: 'claude-test', max_tokens: 100, messages: [{ role: 'user', content: QUESTION }] }
const runner = new Anthropic().beta.messages.toolRunner({ ...asked, tools: [forecast], stream: streams })
if (streams) for await (const stream of runner) for await (const _ of stream);
tell((await runner).content[0].text)

// Calls a model before the application registers anything.
import OpenAI from 'openai'

await new OpenAI().chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hello.' }] })

// The same application without the lines that the page about bundled applications has. The argument is where the models
// are.

import { generateText } from 'ai-6'
import { createOpenAI } from 'ai-sdk-openai-3'
import { clients } from './clients.mjs'

globalThis.AI_SDK_LOG_WARNINGS = false
const [url] = process.argv.slice(2)
for (const call of Object.values(clients)) await call(url)
const models = createOpenAI({ apiKey: 'none', baseURL: `${url}/v1` })
await generateText({ model: models.chat('gpt-test'), prompt: 'Say hello.' })
process.kill(process.pid, 'SIGTERM')

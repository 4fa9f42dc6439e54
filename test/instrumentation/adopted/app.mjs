// One question to a model, asked within an observation. node app.mjs <import|require> <model URL>
import { createRequire } from 'node:module'
import { startActiveObservation } from '@svc/tracing'

const [kind, url] = process.argv.slice(2)
const { OpenAI } = kind === 'import' ? await import('openai') : createRequire(import.meta.url)('openai')
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
const messages = [{ role: 'user', content: 'What is a span?' }]
const ask = () => client.chat.completions.create({ model: 'gpt-4o-mini', messages })
const { choices } = await startActiveObservation('application', ask)
process.stdout.write(choices[0].message.content)

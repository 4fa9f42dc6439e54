// One variant of bench/request.mjs in a process of its own: Express with one route, which asks a model and sends the
// answer on. Tells where it listens, then its CPU time whenever it is asked for.
import { createRequire } from 'node:module'

const [major, model] = process.argv.slice(2)
const require = createRequire(import.meta.url)
const { default: express } = await import('express')
// As an application loads it: the preload sees the package, not the alias it is installed under here.
const { default: OpenAI } = await import(import.meta.resolve(`openai-${major}`))
globalThis.benchedOpenAI?.(OpenAI, require)

const client = new OpenAI({ apiKey: 'none', baseURL: model, maxRetries: 0 })
const QUESTION = 'What is it that you do here? '.repeat(140)

const app = express()
app.get('/chat/:id', async (_request, response) => {
  const { choices } = await client.chat.completions.create({
    model: 'gpt-test',
    temperature: 0.5,
    messages: [
      { role: 'system', content: 'You are terse.' },
      { role: 'user', content: QUESTION },
    ],
  })
  response.send(choices[0].message.content)
})
const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system })
})

import express from 'express'
import OpenAI from 'openai'

const client = new OpenAI()
const model = 'gpt-4.1-mini'
const ask = (content) => [{ role: 'user', content }]

const tools = [
  {
    type: 'function',
    function: {
      name: 'weather',
      description: 'The weather in a city, now.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]
const weather = (city) => ({ city, degrees: 21, sky: 'clear' })

const app = express().use(express.json())

app.post('/chat', async (request, response) => {
  const { choices } = await client.chat.completions.create({ model, messages: ask(request.body.question) })
  response.json({ answer: choices[0].message.content })
})

app.post('/stream', async (request, response) => {
  const stream = await client.chat.completions.create({
    model,
    messages: ask(request.body.question),
    stream: true,
    stream_options: { include_usage: true },
  })
  response.type('text/plain')
  for await (const chunk of stream) response.write(chunk.choices[0]?.delta.content ?? '')
  response.end()
})

app.post('/tools', async (request, response) => {
  const messages = ask(request.body.question)
  const first = await client.chat.completions.create({ model, messages, tools })
  const wish = first.choices[0].message
  messages.push(wish)
  for (const call of wish.tool_calls ?? []) {
    const { city } = JSON.parse(call.function.arguments)
    messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(weather(city)) })
  }
  const last = await client.chat.completions.create({ model, messages, tools })
  response.json({ answer: last.choices[0].message.content })
})

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})

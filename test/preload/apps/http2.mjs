// An HTTP/2 server of which each request makes two model calls.
import { createServer } from 'node:http2'
import OpenAI from 'openai'

const client = new OpenAI()
const ask = () =>
  client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Say hello.' }] })

const server = createServer(async (_request, response) => {
  await ask()
  await ask()
  response.end('done')
})
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
process.on('SIGTERM', () => server.close())

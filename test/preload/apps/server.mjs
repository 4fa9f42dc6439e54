// A plain HTTP server: each request makes two model calls, one before and one after the body has been read.
import { createServer } from 'node:http'
import OpenAI from 'openai'

const client = new OpenAI()
const ask = (content) => client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content }] })

const server = createServer((request, response) => {
  const first = ask(`first ${request.url}`)
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', async () => {
    await first
    await ask(`second ${request.url} ${body.length}`)
    response.end('done')
  })
})
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})

// A server that starts svc itself, in its first line, and asks a model for each request. With the argument `exit` it records
// something and exits at once.
import '@svc/register'
import { createServer } from 'node:http'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

if (process.argv[2] === 'exit') {
  startActiveObservation('held', () => {})
  process.exit(3)
}

const client = new OpenAI()
async function ask(content) {
  const messages = [{ role: 'user', content }]
  const { choices } = await client.chat.completions.create({ model: 'gpt-test', messages })
  return choices[0].message.content
}

const server = createServer(({ headers: { user } }, response) => {
  propagateAttributes({ userId: user }, async () => response.end(await ask(user)))
}).listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))

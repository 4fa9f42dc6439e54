// What these programs do: two requests are answered with what a model says.
import { once } from 'node:events'
import http from 'node:http'

/** @param around runs the work of a request, such as in a span of the application's */
export async function serve(around = (work) => work()) {
  const { default: OpenAI } = await import('openai')
  const client = new OpenAI()
  const server = http.createServer(async (_, response) => {
    const answer = await around(() =>
      client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Say hello.' }] }),
    )
    response.end(answer.choices[0].message.content)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  for (const path of ['/first', '/second']) {
    const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`)
    console.log(`${path}: ${response.status} ${await response.text()}`)
  }
  server.closeAllConnections()
  await once(server.close(), 'close')
}

// A model that answers every call of the Chat Completions API with the same 2 KB; below /long with 200 KB, compressed.
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'

const answer = (words) =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-test',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'This and that, all day. '.repeat(words) },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 },
  })
const json = { 'content-type': 'application/json' }
const short = [json, answer(85)]
const long = [{ ...json, 'content-encoding': 'gzip' }, gzipSync(answer(8_500))]
const server = createServer((request, response) => {
  const [headers, body] = request.url.startsWith('/long/') ? long : short
  request.resume().on('end', () => response.writeHead(200, headers).end(body))
})
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/v1` }))
process.on('disconnect', () => process.exit())

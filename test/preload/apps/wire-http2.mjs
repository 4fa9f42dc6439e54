// Asks a model over HTTP/2, by `node:http2` and by `fetch`, which does so from Node 26 on. The argument is where the
// models are.
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'

const [url] = process.argv.slice(2)
const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Say hello.' }] })

const session = connect(url)
const stream = session.request({ ':method': 'POST', ':path': '/v1/chat/completions' })
stream.end(body)
const { choices } = JSON.parse(await text(stream))
session.close()

const fetched = await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).json()
const [one, other] = [choices, fetched.choices].map((each) => JSON.stringify(each))
console.log(one === other ? 'same bytes' : `${one}\n${other}`)

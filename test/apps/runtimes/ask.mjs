// Asks a model by `fetch` in each way that a call can end, and prints what it sees. The argument is where the models are.
const [url] = process.argv.slice(-1)
const messages = [{ role: 'user', content: 'Say hello.' }]
const path = `${url}/v1/chat/completions`
const asking = (model, more) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model, messages, ...more }),
})
const stream = { stream: true, stream_options: { include_usage: true } }
const textOf = ({ choices }) => choices[0].message.content

const whole = await fetch(path, asking('whole'))
console.log(whole.url === path, whole.status, whole.ok, whole.redirected, whole.type, whole instanceof Response)
console.log(textOf(await whole.json()), whole.bodyUsed, fetch.name, Object.keys(fetch))

const sent = await fetch(new Request(path, asking('of a request')))
const copy = sent.clone()
console.log(textOf(await sent.json()), textOf(JSON.parse(await copy.text())))

let chunks = ''
for await (const chunk of (await fetch(path, asking('streamed', stream))).body)
  chunks += new TextDecoder().decode(chunk)
console.log(chunks.match(/"content":"[^"]*"/g)?.join(''))

const refused = await fetch(path, asking('error-429'))
console.log(refused.status, Object.keys(await refused.json()))

for await (const _ of (await fetch(path, asking('slow', stream))).body) break

try {
  await (await fetch(path, asking('cut', stream))).text()
} catch ({ name, code, message }) {
  console.log(name, code, message)
}

const controller = new AbortController()
const stalled = await fetch(path, { ...asking('stall', stream), signal: controller.signal })
const reader = stalled.body.getReader()
await reader.read()
controller.abort()
const rest = async () => {
  while (!(await reader.read()).done);
}
console.log(await rest().catch(({ name }) => name))

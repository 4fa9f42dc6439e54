// Questions to a model on Bedrock, each asked in another way. node app.mjs <model URL>
import * as exports from 'bedrock-1163'
import { connect } from './client.mjs'

const client = connect({ exports, url: process.argv[2] })
const messages = [{ role: 'user', content: [{ text: 'What is a span?' }] }]
const body = JSON.stringify({ prompt: 'What is a span?' })
const llama = { modelId: 'meta.llama3-1-8b-instruct-v1:0', body }
const { ConverseCommand, ConverseStreamCommand, InvokeModelCommand, InvokeModelWithResponseStreamCommand } = exports

await client.send(new ConverseCommand({ modelId: 'claude-test', messages }))
await read((await client.send(new ConverseStreamCommand({ modelId: 'claude-test', messages }))).stream)
await read((await client.send(new ConverseStreamCommand({ modelId: 'claude-left', messages }))).stream, 3)
await client.send(new InvokeModelCommand(llama))
await read((await client.send(new InvokeModelWithResponseStreamCommand(llama))).body)
await client.send(new ConverseStreamCommand({ modelId: 'error-400', messages })).catch(() => {})

async function read(items, limit = Number.POSITIVE_INFINITY) {
  let count = 0
  for await (const _ of items) if (++count >= limit) break
}

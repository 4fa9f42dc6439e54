// One question to a model on Bedrock. node app.mjs <model URL>
import { BedrockRuntimeClient, ConverseCommand } from 'bedrock-1163'
import { connect } from './cases.mjs'

const client = connect({ exports: { BedrockRuntimeClient }, url: process.argv[2] })
await client.send(
  new ConverseCommand({ modelId: 'claude-test', messages: [{ role: 'user', content: [{ text: 'Hi' }] }] }),
)

import { crc32 } from 'node:zlib'
import { answerTo, pieces, textOf, tokens } from './answer.js'
import { listOfObjects } from './http.js'

/** `POST /model/<model>/converse` and `/converse-stream` */
export function converse(body, serial) {
  const asked = listOfObjects(body.messages, 'messages')
  const last = asked.at(-1)
  const results = last.content.flatMap(({ toolResult }) => (toolResult ? [textOf(toolResult.content)] : []))
  const { text, calls } = answerTo({
    model: body.model,
    prompt: textOf(asked.findLast(({ role, content }) => role === 'user' && textOf(content))?.content),
    lastRole: results.length > 0 ? 'tool' : last.role,
    results,
    tools: body.toolConfig?.tools.map(({ toolSpec: { name, inputSchema } }) => ({
      name,
      parameters: inputSchema.json,
    })),
  })
  const content = calls.map(({ name, arguments: input }, at) => {
    return { toolUse: { toolUseId: `call_${serial}_${at}`, name, input: JSON.parse(input) } }
  })
  if (text) content.unshift({ text })
  const stopReason = calls.length > 0 ? 'tool_use' : 'end_turn'
  const answer = { output: { message: { role: 'assistant', content } }, stopReason, usage: usageOf(body, content) }
  return body.stream ? { frames: [...eventsOf(answer)].map(frameOf) } : { json: { ...answer, metrics } }
}

export const refusal = ({ message }) => ({ message })

const metrics = { latencyMs: 1 }

function usageOf(body, content) {
  const prompt = tokens(JSON.stringify(body.messages))
  const cacheReadInputTokens = Math.floor(prompt / 2)
  const inputTokens = prompt - cacheReadInputTokens
  const outputTokens = tokens(JSON.stringify(content))
  const totalTokens = prompt + outputTokens
  return { inputTokens, outputTokens, totalTokens, cacheReadInputTokens, cacheWriteInputTokens: 0 }
}

function* eventsOf({ output, stopReason, usage }) {
  yield ['messageStart', { role: 'assistant' }]
  for (const [contentBlockIndex, { text, toolUse }] of output.message.content.entries()) {
    if (toolUse) {
      const { input, ...begun } = toolUse
      yield ['contentBlockStart', { contentBlockIndex, start: { toolUse: begun } }]
      for (const part of JSON.stringify(input).match(/.{1,5}/gs)) {
        yield ['contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input: part } } }]
      }
    }
    for (const part of pieces(text ?? '')) yield ['contentBlockDelta', { contentBlockIndex, delta: { text: part } }]
    yield ['contentBlockStop', { contentBlockIndex }]
  }
  yield ['messageStop', { stopReason }]
  yield ['metadata', { usage, metrics }]
}

/** An event in AWS's binary framing: lengths, headers, payload, and a checksum after the lengths and at the end. */
function frameOf([type, payload]) {
  const headers = Buffer.concat([
    header(':message-type', 'event'),
    header(':event-type', type),
    header(':content-type', 'application/json'),
  ])
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(16 + headers.length + body.length, 0)
  prelude.writeUInt32BE(headers.length, 4)
  const message = Buffer.concat([prelude, checksum(prelude), headers, body])
  return Buffer.concat([message, checksum(message)])
}

function header(name, value) {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(value.length)
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)])
}

function checksum(bytes) {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}

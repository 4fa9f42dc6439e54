import { crc32 } from 'node:zlib'
import { answerTo, pieces, textOf, tokens } from './answer.js'
import { listOfObjects } from './http.js'

/** `POST /model/<model>/converse` and `/converse-stream` */
export function converse(body, serial) {
  const asked = listOfObjects(body.messages, 'messages')
  const last = asked.at(-1)
  const results = last.content.flatMap(({ toolResult }) => (toolResult ? [textOf(toolResult.content)] : []))
  const schema = body.outputConfig?.textFormat.structure.jsonSchema.schema
  const { text, calls, end } = answerTo({
    model: body.model,
    prompt: textOf(asked.findLast(({ role, content }) => role === 'user' && textOf(content))?.content),
    lastRole: results.length > 0 ? 'tool' : last.role,
    results,
    tools: body.toolConfig?.tools.map(({ toolSpec: { name, inputSchema } }) => ({
      name,
      parameters: inputSchema.json,
    })),
    schema: schema && JSON.parse(schema),
  })
  const content = calls.map(({ name, arguments: input }, at) => {
    return { toolUse: { toolUseId: `call_${serial}_${at}`, name, input: JSON.parse(input) } }
  })
  if (text) content.unshift({ text })
  if (body.additionalModelRequestFields?.thinking) content.unshift({ reasoningContent: { reasoningText: THOUGHT } })
  const stopReason = STOPS[end] ?? (calls.length > 0 ? 'tool_use' : 'end_turn')
  const answer = { output: { message: { role: 'assistant', content } }, stopReason, usage: usageOf(body, content) }
  if (!body.stream) return { json: { ...answer, metrics } }
  const events = [...eventsOf(answer)]
  const failing = /overload$/.test(body.model)
  // A stream that has begun says so in the stream that it cannot go on.
  return { frames: failing ? [...events.slice(0, 3), OVERLOADED].map(frameOf) : events.map(frameOf) }
}

const STOPS = { truncated: 'max_tokens', filtered: 'guardrail_intervened', refused: 'content_filtered' }
const THOUGHT = { text: 'The user wants a short answer.', signature: 'c2VhbGVk' }
const OVERLOADED = ['throttlingException', { message: 'Too many requests, please wait' }, 'exception']

export const refusal = ({ message }) => ({ message })

const metrics = { latencyMs: 1 }

function usageOf(body, content) {
  const prompt = tokens(JSON.stringify(body.messages))
  const cacheReadInputTokens = Math.floor(prompt / 2)
  const cacheWriteInputTokens = Math.floor(prompt / 4)
  const inputTokens = prompt - cacheReadInputTokens - cacheWriteInputTokens
  const outputTokens = tokens(JSON.stringify(content))
  const totalTokens = prompt + outputTokens
  return { inputTokens, outputTokens, totalTokens, cacheReadInputTokens, cacheWriteInputTokens }
}

function* eventsOf({ output, stopReason, usage }) {
  yield ['messageStart', { role: 'assistant' }]
  for (const [contentBlockIndex, { text, toolUse, reasoningContent }] of output.message.content.entries()) {
    if (toolUse) {
      const { input, ...begun } = toolUse
      yield ['contentBlockStart', { contentBlockIndex, start: { toolUse: begun } }]
      for (const part of JSON.stringify(input).match(/.{1,5}/gs)) {
        yield ['contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input: part } } }]
      }
    }
    if (reasoningContent) yield* thoughts(contentBlockIndex, reasoningContent.reasoningText)
    for (const part of pieces(text ?? '')) yield ['contentBlockDelta', { contentBlockIndex, delta: { text: part } }]
    yield ['contentBlockStop', { contentBlockIndex }]
  }
  yield ['messageStop', { stopReason }]
  yield ['metadata', { usage, metrics }]
}

function* thoughts(contentBlockIndex, { text, signature }) {
  for (const part of pieces(text)) {
    yield ['contentBlockDelta', { contentBlockIndex, delta: { reasoningContent: { text: part } } }]
  }
  yield ['contentBlockDelta', { contentBlockIndex, delta: { reasoningContent: { signature } } }]
}

/** An event in AWS's binary framing: lengths, headers, payload, and a checksum after the lengths and at the end. */
export function frameOf(event) {
  const [type, payload, kind = 'event'] = event
  const headers = Buffer.concat([
    header(':message-type', kind),
    header(`:${kind}-type`, type),
    header(':content-type', 'application/json'),
  ])
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(16 + headers.length + body.length, 0)
  prelude.writeUInt32BE(headers.length, 4)
  const message = Buffer.concat([prelude, checksum(prelude), headers, body])
  return Object.assign(Buffer.concat([message, checksum(message)]), { event })
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

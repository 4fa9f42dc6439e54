import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { ANSWER, CHUNKS, replies } from './said.mjs'

const usage = { inputTokens: 1_000, outputTokens: 500, totalTokens: 1_500 }
const metrics = { latencyMs: 1 }
const output = { message: { role: 'assistant', content: [{ text: ANSWER }] } }
const events = [
  ['messageStart', { role: 'assistant' }],
  ...CHUNKS.map((text) => ['contentBlockDelta', { contentBlockIndex: 0, delta: { text } }]),
  ['contentBlockStop', { contentBlockIndex: 0 }],
  ['messageStop', { stopReason: 'end_turn' }],
  ['metadata', { usage, metrics }],
]
const frames = Buffer.concat(events.map(frameOf))

/** The Converse API of Bedrock. */
export const converse = {
  ...replies({ output, stopReason: 'end_turn', usage, metrics }, []),
  stream: () => new Response(frames, { headers: { 'content-type': 'application/vnd.amazon.eventstream' } }),
}

export const requestHandler = (fetch) => ({
  async handle() {
    const { status, headers, body } = await fetch()
    return { response: { statusCode: status, headers: Object.fromEntries(headers), body: Readable.fromWeb(body) } }
  },
})

/** Lengths, headers, payload, and a checksum after the lengths and at the end. */
function frameOf([type, payload]) {
  const fields = { ':message-type': 'event', ':event-type': type, ':content-type': 'application/json' }
  const headers = Buffer.concat(Object.entries(fields).map(([name, value]) => headerOf(name, value)))
  const body = Buffer.from(JSON.stringify(payload))
  const lengths = [16 + headers.length + body.length, headers.length].map(number)
  const message = Buffer.concat([...lengths, number(crc32(Buffer.concat(lengths))), headers, body])
  return Buffer.concat([message, number(crc32(message))])
}

function headerOf(name, value) {
  const text = 7
  return Buffer.from([name.length, ...Buffer.from(name), text, 0, value.length, ...Buffer.from(value)])
}

function number(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

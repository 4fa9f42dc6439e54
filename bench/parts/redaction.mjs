// One variant of bench/redaction.mjs in a process of its own: answers each message with the µs of one more block of spans.
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { SvcSpanProcessor } from '@svc/otel'
import { harmless, messages } from '../../packages/otel/test/support/redaction-corpus.ts'

const [name, kinds] = process.argv.slice(2)
const CODE = `const total = (items) => items.reduce((sum, { price, count }) => sum + price * count, 0)
if (!token) throw new Error("no token for " + request.headers.authorization)
  for (const [at, each_item] of all_items.entries()) buffer[at] = (at * 2654435761) >>> 24 // as in the table above
`
const RECORDS = Array.from({ length: 200 }, (_, id) => ({ id: id * 7919, role: 'user', at: 12.5, tags: ['a', 'b'] }))
const DENSE = [
  'Please write to ada.lovelace@example.com, I am waiting for it since Monday',
  'Sie erreichen mich abends unter +49 170 1234567 oder im Büro',
  'the card 4111 1111 1111 1111 was refused twice, from 192.168.12.34',
  'account DE89 3704 0044 0532 0130 00, Authorization: Bearer abc123def456ghi7',
]
/** Rows of ten numbers. */
const table = (between) =>
  Array.from({ length: 900 }, (_, at) => `${(at * 7919) % 1_000}${at % 10 === 9 ? '\n' : between}`).join('')
const TEXTS = {
  chat: ['What is it that you do here? Nobody told me, and the customer service said that they would call. '],
  code: [CODE],
  JSON: [JSON.stringify(RECORDS)],
  Russian: ['Здравствуйте, проверьте, пожалуйста, мой заказ, я жду его с понедельника. '],
  'small numbers, commas': [table(', ')],
  'small numbers, spaces': [table(' ')],
  'short and dense': DENSE,
  'corpus, values in it': messages(47, 200).map(({ text }) => text),
  'corpus, harmless': harmless(48, 200),
}

const SIZE = 16_384
const texts = TEXTS[name].length > 1 ? TEXTS[name] : [TEXTS[name][0].repeat(200).slice(0, SIZE)]
const attributes = {}
for (let size = 0, at = 0; size < SIZE; at++) {
  const text = texts[at % texts.length]
  attributes[`text.${at}`] = text
  size += text.length
}
const redact = { none: ['none'], secrets: ['secrets'], all: ['email', 'phone', 'card', 'iban', 'ip'] }[kinds]
const exporter = { export: (_, done) => done({ code: 0 }), shutdown: async () => {} }
const processor = new SvcSpanProcessor({ exporter, exportMode: 'immediate', redact, mediaUploadEnabled: false })
const limits = { attributeCountLimit: 1_000 }
const tracer = new TracerProvider({ spanProcessors: [processor], spanLimits: limits }).getTracer('svc-sdk')

const BLOCK_US = 20_000
function block() {
  const before = process.threadCpuUsage()
  for (let spans = 50; ; spans += 50) {
    for (let n = 0; n < 50; n++) tracer.startSpan('text', { attributes }).end()
    const { user, system } = process.threadCpuUsage(before)
    if (user + system > BLOCK_US) return (user + system) / spans
  }
}

for (let n = 0; n < 10; n++) block()
process.on('message', () => process.send(block()))
process.send(0)

// The least that can record what we record of a request with one call: no settings, no context but one store for each
// request, no errors, streams, limits, masks or exit. What is written and sent is the same.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { Agent, request as send } from 'node:http'
import { gzip } from 'node:zlib'
import { writeResourceSpans, writeScopeSpans, writeSpan } from '../../packages/otel/dist/export/otlp/trace.js'
import { ProtobufWriter } from '../../packages/otel/dist/export/otlp/writer.js'

const { SVC_PUBLIC_KEY, SVC_SECRET_KEY, SVC_BASE_URL } = process.env
const requests = new AsyncLocalStorage()
const agent = new Agent({ keepAlive: true })
const headers = {
  authorization: `Basic ${btoa(`${SVC_PUBLIC_KEY}:${SVC_SECRET_KEY}`)}`,
  'content-type': 'application/x-protobuf',
  'content-encoding': 'gzip',
}

class FloorSpan {
  startTime = now()
  endTime = this.startTime
  events = []
  links = []
  status = { code: 0 }

  constructor(name, kind, attributes, parent) {
    this.name = name
    this.kind = kind
    this.attributes = attributes
    this.parentSpanContext = parent?.context
    this.context = { traceId: parent?.context.traceId ?? id(16), spanId: id(8), traceFlags: 1 }
  }

  spanContext() {
    return this.context
  }

  end() {
    this.endTime = now()
    writeSpan(writer, this)
    spans += 1
    if (spans === 512) exportSpans()
  }
}

subscribe('http.server.request.start', ({ request, response }) => {
  const root = new FloorSpan('', 1, { 'http.request.method': request.method, 'svc.environment': 'default' })
  requests.enterWith(root)
  response.once('close', () => {
    const { path } = request.route
    root.name = `${request.method} ${path}`
    root.attributes['http.route'] = path
    root.attributes['url.path'] = request.originalUrl
    root.attributes['svc.internal.is_app_root'] = true
    root.attributes['http.response.status_code'] = response.statusCode
    root.end()
  })
})

globalThis.benchedOpenAI = (OpenAI) => {
  const completions = Object.getPrototypeOf(new OpenAI({ apiKey: 'none' }).chat.completions)
  const { create } = completions
  completions.create = async function (body) {
    const span = new FloorSpan('chat', 2, { 'svc.environment': 'default' }, requests.getStore())
    const answer = await create.call(this, body)
    record(span, body, answer)
    return answer
  }
}

function record(span, { model, messages, ...parameters }, { id, choices, usage }) {
  const responseMessages = choices.map(({ message }) => message)
  span.name = `chat ${model}`
  Object.assign(span.attributes, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
    'gen_ai.response.id': id,
    'gen_ai.response.finish_reasons': choices.map(({ finish_reason }) => finish_reason),
    'svc.observation.model.name': model,
    'svc.observation.model.parameters': JSON.stringify(parameters),
    'svc.observation.input': JSON.stringify({ messages }),
    'svc.observation.output': JSON.stringify(responseMessages),
    'svc.observation.usage_details': JSON.stringify({ input: usage.prompt_tokens, output: usage.completion_tokens }),
  })
  span.end()
  const { attributes } = requests.getStore() ?? span
  attributes['svc.observation.input'] = messages.at(-1).content
  attributes['svc.observation.output'] = responseMessages[0].content
}

const writer = new ProtobufWriter(4_000_000)
const batch = new ProtobufWriter(4_000_000)
let spans = 0

function exportSpans() {
  const written = writer.view()
  const scopeSpans = () => writeScopeSpans(batch, { name: 'floor' }, () => batch.raw(written))
  writeResourceSpans(batch, { attributes: { 'service.name': 'floor' } }, scopeSpans)
  const request = Buffer.from(batch.view())
  batch.cut(0)
  writer.cut(0)
  spans = 0
  requests.exit(() => {
    gzip(request, { level: 1 }, (_, body) => {
      const url = `${SVC_BASE_URL}/api/public/otel/v1/traces`
      send(url, { method: 'POST', agent, headers }, (response) => response.resume()).end(body)
    })
  })
}

function now() {
  const milliseconds = performance.timeOrigin + performance.now()
  const seconds = Math.floor(milliseconds / 1_000)
  return [seconds, Math.round((milliseconds - seconds * 1_000) * 1e6)]
}

function id(bytes) {
  return randomFillSync(Buffer.allocUnsafe(bytes)).toString('hex')
}

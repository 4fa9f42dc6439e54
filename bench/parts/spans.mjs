// One variant of bench/span.mjs in a process of its own: makes spans at a steady pace, or all at once, and prints what
// they took.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { SvcSpanProcessor } from '@svc/otel'

const [variant, url, pace = 'steady'] = process.argv.slice(2)
const service = { publicKey: 'pk', secretKey: 'sk', baseUrl: url }
const processors = {
  none: () => [],
  standard: () => [
    new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${url}/v1/traces`, compression: 'gzip' }) }),
  ],
  svc: () => [new SvcSpanProcessor(service)],
  'svc, spool: always': () => [new SvcSpanProcessor({ ...service, spoolDir: folder(), spool: 'always' })],
}
const provider = new TracerProvider({ spanProcessors: processors[variant]() })
const tracer = provider.getTracer('svc-sdk')
const input = JSON.stringify({ messages: [{ role: 'user', content: 'What is it that you do here? '.repeat(140) }] })
const output = JSON.stringify([{ role: 'assistant', content: 'This and that, all day. '.repeat(85) }])

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'svc-spool-'))
  process.on('exit', () => rmSync(path, { recursive: true, force: true }))
  return path
}

function makeSpan(n) {
  const span = tracer.startSpan('chat gpt-test', { attributes: { 'gen_ai.operation.name': 'chat' } })
  span.setAttributes({
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-test',
    'svc.observation.model.name': 'gpt-test-2026',
    'gen_ai.response.id': `chatcmpl-${n}`,
    'svc.observation.usage_details': '{"input":1000,"output":500,"total":1500}',
    'svc.observation.model.parameters': '{"temperature":0.5}',
    'gen_ai.response.finish_reasons': ['stop'],
    'server.address': '127.0.0.1',
    'svc.observation.input': input,
    'svc.observation.output': output,
  })
  span.end()
}

/**
 * Measures from now on. @returns milliseconds that the loop stands still around one moment in a hundred, at least: a
 * percentile of turns, as Node counts, would take a stop of 40 ms for one turn in a thousand.
 */
function loopDelay() {
  const gaps = []
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    gaps.push(now - last)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    const all = gaps.reduce((sum, gap) => sum + gap, 0)
    let below = 0
    for (const gap of gaps.sort((a, b) => a - b)) {
      below += gap
      if (below >= all * 0.99) return gap
    }
  }
}

/** 2,000 spans a second, for five seconds. */
async function steady() {
  const SPANS = 10_000
  for (let n = 0; n < 500; n++) makeSpan(n)
  await provider.forceFlush()
  const delay = loopDelay()
  const before = process.cpuUsage()
  const mainBefore = process.threadCpuUsage()
  for (let n = 0; n < SPANS; n += 20) {
    for (let i = 0; i < 20; i++) makeSpan(n + i)
    await pause(10)
  }
  await provider.forceFlush()
  const all = process.cpuUsage(before)
  const main = process.threadCpuUsage(mainBefore)
  return {
    main: (main.user + main.system) / SPANS,
    all: (all.user + all.system) / SPANS,
    delay: delay(),
  }
}

/** 100,000 spans in one tick: what the process takes for them. */
async function burst() {
  const before = process.memoryUsage.rss()
  for (let n = 0; n < 100_000; n++) makeSpan(n)
  await provider.forceFlush()
  return { memory: process.resourceUsage().maxRSS / 1024 - before / 1_048_576 }
}

const figures = pace === 'burst' ? await burst() : await steady()
await provider.shutdown()
console.log(JSON.stringify(figures))

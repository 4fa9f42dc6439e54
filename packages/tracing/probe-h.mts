import { trace, context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider as NodeTracerProvider } from '@opentelemetry/sdk-trace'
import { observe, startActiveObservation, startObservation, propagateAttributes, updateActiveObservation, createTraceId } from './src/index.ts'
import http from 'node:http'
import { Readable, Duplex, PassThrough, Writable } from 'node:stream'
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import vm from 'node:vm'
const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
trace.setGlobalTracerProvider(provider)
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const show = (label: string) => {
  for (const s of exporter.getFinishedSpans()) {
    const a = Object.fromEntries(Object.entries(s.attributes).map(([k, v]) => [k.replace('svc.observation.', ''), typeof v === 'string' && v.length > 300 ? v.slice(0, 300) + '…' + v.length : v]))
    delete a.type
    console.log(label, '|', s.name, JSON.stringify(a), s.status.code || '', s.status.message ?? '')
  }
  if (!exporter.getFinishedSpans().length) console.log(label, '| NO SPAN')
  exporter.reset()
}
const tick = (ms = 5) => new Promise((r) => setTimeout(r, ms))
async function t(label: string, fn: () => unknown) {
  try { const r = await fn(); if (r !== undefined) console.log(label, '=> ', r) } catch (e) { console.log(label, 'THREW', (() => { try { return String(e) } catch { return typeof e } })()) }
  await tick(); show(label)
}

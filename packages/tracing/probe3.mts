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
const P = (label: string, params: any) => t('prop ' + label, () => propagateAttributes(params, () => startObservation('c').end()))
const m65 = Object.fromEntries(Array.from({ length: 66 }, (_, i) => ['k' + i, i]))
import { trace as T } from '@opentelemetry/api'
const full = (label: string) => { for (const s of exporter.getFinishedSpans()) console.log(label, JSON.stringify(s.attributes).slice(0, 400)) }
import { SvcSpanProcessor } from '@svc/otel'
import { environmentOf } from '@svc/core/environment'
T.disable()
const stamps = new SvcSpanProcessor({ env: environmentOf({}), exporter: new InMemorySpanExporter() } as any)
T.setGlobalTracerProvider(new NodeTracerProvider({ spanProcessors: [stamps as any, new SimpleSpanProcessor({ exporter })] }))
await P('userId num', { userId: 5 })
await P('userId 0', { userId: 0 })
await P('userId obj', { userId: { a: 1 } })
await P('userId 201', { userId: 'x'.repeat(201) })
await P('userId emoji 200', { userId: '😀'.repeat(100) })
await P('userId spaces', { userId: '  ' })
await P('tags string', { tags: 'beta' })
await P('tags dup', { tags: ['a', 'a', '', 5, null, 'x'.repeat(201), 'b,c'] })
await P('tags set', { tags: new Set(['a']) })
await P('meta odd', { metadata: { a: null, b: undefined, c: NaN, d: 5n, e: new Date(0), f: () => 1, g: Symbol('x'), h: new Map([['a', 1]]), i: { deep: { x: 1 } }, j: '', 'k.l': 1, 'k l': 2, '': 3, __proto__x: 1, constructor: 'c', toString: 's' } })
await P('meta __proto__', { metadata: JSON.parse('{"__proto__":"x","a":1}') })
await P('meta 199', { metadata: { a: 'x'.repeat(198), b: 'x'.repeat(199), c: '"'.repeat(100), d: 'é'.repeat(198) } })
await P('meta array', { metadata: ['a', 'b'] })
await P('meta string', { metadata: 'abc' })
await P('meta map', { metadata: new Map([['a', 1]]) })
await P('meta 66', { metadata: m65 })
await P('env', { environment: 'Prod' })
await P('env2', { environment: 'svc-x' })
await P('env3', { environment: 'x'.repeat(41) })
await P('prompt', { prompt: { name: 'p', version: '3' } })
await P('prompt bad', { prompt: { name: 'p', version: 1.5 } })
await P('prompt fallback', { prompt: { name: 'p', version: 1, isFallback: true } })
await P('getter throws', { get userId() { throw new Error('x') }, sessionId: 's' })
await P('unknown', { user: 'ada', sessionID: 's' })
await P('null', null)
await P('array', [])
await t('nested meta null overrides', () => propagateAttributes({ metadata: { a: 1, b: 2 }, userId: 'u', tags: ['t'] }, () => propagateAttributes({ metadata: { a: null }, userId: '', tags: [] }, () => startObservation('c').end())))
await t('snapshot', async () => { let run: any; propagateAttributes({ userId: 'snap' }, () => { run = AsyncLocalStorage.snapshot() }); run(() => startObservation('c').end()) })
await t('update odd', () => startActiveObservation('u', (o: any) => { o.update(null); o.update('x'); o.update({ input: null, output: 0, level: 'bogus', statusMessage: 5, metadata: null }); o.update({ output: false }); o.update({ metadata: 'plain' }); o.update({ metadata: { a: { b: 1 } } }); o.update({ metadata: { a: { c: 2 } } }); o.update({ output: '' }) }))
await t('gen odd', () => startActiveObservation('g', (o: any) => { o.update({ model: { toString() { return 'm' } }, usageDetails: { input: '5', output: NaN }, costDetails: { input: -1 }, completionStartTime: 'yesterday', modelParameters: { a: undefined, stop: ['x'], t: 0.5 } }) }, { asType: 'generation' }))
await t('bad type', () => startActiveObservation('g', () => {}, { asType: 'bogus' as any }))
await t('bad type proto', () => startActiveObservation('g', () => {}, { asType: 'constructor' as any }))
await t('event', () => { const e: any = startObservation('ev', { input: 1 }, { asType: 'event' }); e.end?.(); console.log(typeof e.update) })
await t('end before start', () => startObservation('x', {}, { startTime: new Date() } as any).end(new Date(0)))
await t('end odd', () => startObservation('x').end('soon' as any))
await t('start odd', () => startObservation('x', undefined, { startTime: [1, 2, 3] as any }).end())
await t('name odd', () => startObservation({} as any).end())
await t('traceId seed', async () => [await createTraceId('a'), await createTraceId(5 as any), await createTraceId('')])

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
// errors
const odd: Record<string, () => unknown> = {
  frozen: () => Object.freeze(new Error('frozen')), string: () => 'text', empty: () => '', undef: () => undefined, nul: () => null, num: () => 0, sym: () => Symbol('s'), fn: () => function boom() {},
  plain: () => ({ code: 5 }), plainmsg: () => ({ message: 'plain m' }), nullproto: () => Object.create(null), agg: () => new AggregateError([new Error('a'), new Error('b')]), aggm: () => new AggregateError([new Error('a')], 'top'),
  cause: () => new Error('outer', { cause: new Error('inner') }), emptymsg: () => new TypeError(''), getter: () => { const e = new Error('x'); Object.defineProperty(e, 'message', { get() { throw new Error('no') } }); return e },
  tostr: () => { const e = new Error('x'); e.toString = () => { throw 1 }; return e }, proxy: () => new Proxy(new Error('p'), { get() { throw new Error('trap') } }), msgobj: () => Object.assign(new Error('q'), { message: { a: 1 } }), dom: () => new DOMException('dm', 'AbortError'), prom: () => Promise.resolve(3), arr: () => [1, 2], bigint: () => 5n, selfcause: () => { const e: any = new Error(''); e.error = e; return e },
}
for (const [k, make] of Object.entries(odd)) {
  const err = make()
  await t('err ' + k, async () => { try { observe(() => { throw err }, { name: 'o' })() } catch (e) { if (e !== err) console.log('CHANGED') } })
  await t('errA ' + k, async () => { try { await startActiveObservation('s', async () => { throw err }) } catch (e) { if (e !== err) console.log('CHANGED') } })
}

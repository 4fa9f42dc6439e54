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
const srv = http.createServer((q, res) => { res.setHeader('a', 'b'); observe(() => { res.statusCode = 201; return res.end('x') }, { name: 'res' })(); })
await new Promise<void>((r) => srv.listen(0, () => r()))
await t('ServerResponse', async () => { await (await fetch(`http://localhost:${(srv.address() as any).port}/`)).text() })
srv.close(); srv.closeAllConnections()
await t('fetch Response', () => observe(async () => new Response('abc'), { name: 'r' })().then((r) => r.text()))
await t('class getter', () => { class A { #x = 1; get v() { return this.#x } ; m = observe(function (this: A) { return this.v }) ; static s = observe(() => 3, { name: 'st' }) }; return [new A().m(), A.s()] })
await t('array iterator', () => [...observe(() => [1, 2][Symbol.iterator](), { name: 'it' })()])
await t('map', () => observe(() => new Map([['a', 1]]), { name: 'map' })())
await t('iter helpers', () => { const g = observe(function* () { yield 1; yield 2; yield 3 }, { name: 'ih' }); return [...g().map((x) => x * 2).take(2)] })
await t('yield*', () => { const g = observe(function* () { yield 1; return 9 }, { name: 'in' }); const o = observe(function* (): any { const r = yield* g(); yield r }, { name: 'out' }); return [...o()] })
await t('gen throw', () => { const g = observe(function* () { try { yield 1 } catch (e) { yield 'caught ' + e } }, { name: 'gt' })(); g.next(); console.log(g.throw(new Error('t'))); return g.next() })
await t('gen return', () => { const g = observe(function* () { try { yield 1; yield 2 } finally { yield 'clean' } }, { name: 'gr' })(); g.next(); console.log(g.return(7 as never)); return g.next() })
await t('gen proto', () => { const f = function* () { yield 1 }; f.prototype.hello = () => 'hi'; const g: any = observe(f, { name: 'gp' })(); console.log(g.hello(), g instanceof f); return [...g] })
await t('async dispose', async () => { const ag = observe(async function* () { yield 1; yield 2 }, { name: 'ad' }); { await using x: any = ag(); await x.next() } })
await t('sync dispose', () => { const ag = observe(function* () { yield 1; yield 2 }, { name: 'sd' }); { using x: any = ag(); x.next() } })
await t('ag yields promise rej', async () => { const ag = observe(async function* () { yield Promise.reject(new Error('pr')) }, { name: 'apr' }); for await (const _ of ag()) ; })
await t('sync gen yields promises', async () => { const g = observe(function* () { yield Promise.resolve(1); yield Promise.resolve(2) }, { name: 'sgp' }); const out = []; for await (const x of g()) out.push(x); return out })
await t('concurrent next', async () => { const ag = observe(async function* () { yield 1; yield 2; yield 3 }, { name: 'cn' })(); return Promise.all([ag.next(), ag.next(), ag.next(), ag.next()]) })
await t('return before start', async () => { const ag = observe(async function* () { yield 1 }, { name: 'rbs' })(); return ag.return(undefined as never) })
await t('array of promises', async () => observe(() => [Promise.resolve(1)], { name: 'ap' })())
await t('frozen result', async () => observe(() => Object.freeze({ a: 1 }), { name: 'fr' })())
await t('frozen async iterable', async () => { const o = observe(() => Object.freeze({ async *[Symbol.asyncIterator]() { yield 1 } }), { name: 'fai' })(); for await (const x of o) ; })
await t('frozen gen', async () => { const o = observe(() => Object.freeze((function* () { yield 1 })()), { name: 'fg' })(); return [...o] })
await t('vm promise', async () => observe(() => vm.runInNewContext('Promise.resolve(5)'), { name: 'vmp' })())
await t('subclass promise', async () => { class P<T> extends Promise<T> {}; const p = observe(() => new P((r) => r(4)), { name: 'sp' })(); console.log(p instanceof P); return p })
await t('subclass promise rejects', async () => { class P<T> extends Promise<T> {}; const p = observe(() => new P((_, r) => r(new Error('no'))), { name: 'spr' })(); try { await p } catch (e) { console.log('ok', String(e)) } })
await t('subclass promise all', async () => { class P<T> extends Promise<T> {}; const p = observe(() => new P((r) => r(4)), { name: 'spa' })(); return Promise.all([p]) })
await t('thenable resolves twice', async () => { const th = { then(f: any) { f(1); f(2) } }; return await observe(() => th as any, { name: 'tt' })() })
await t('thenable to thenable', async () => { const th = { then(f: any) { f({ then(g: any) { g(8) } }) } }; return await observe(() => th as any, { name: 'tth' })() })
await t('endOnExit false + throw', async () => { startActiveObservation('x', (o) => { o.end(); throw new Error('after end') }) })
await t('end twice, update after', async () => { const o = startObservation('x'); o.end(); o.end(); o.update({ output: 'late' }) })
await t('utf8 split', async () => { const b = Buffer.from('aé'); return [...observe(function* () { yield b.subarray(0, 2); yield b.subarray(2) }, { name: 'u' })()].length })
await t('utf8 mixed', async () => { const b = Buffer.from('é'); return [...observe(function* () { yield b.subarray(0, 1); yield 'text'; yield b.subarray(1) }, { name: 'um' })()].length })
await t('bytes then obj', async () => [...observe(function* () { yield Buffer.from('abc'); yield { a: 1 }; yield Buffer.from('def'); yield 's' }, { name: 'bo' })()].length)
await t('obj then binary', async () => [...observe(function* () { yield { a: 1 }; yield new Uint8Array([255, 254]) }, { name: 'ob' })()].length)
await t('text then binary', async () => [...observe(function* () { yield 'text'; yield new Uint8Array([255, 254]) }, { name: 'tb' })()].length)
await t('null chunks', async () => [...observe(function* () { yield null; yield undefined; yield '' }, { name: 'nc' })()].length)
await t('empty gen', async () => [...observe(function* () {}, { name: 'eg' })()].length)
await t('undefined args', async () => observe((a?: any, b?: any) => a, { name: 'ua' })(undefined, undefined))
await t('one undef arg', async () => observe((a?: any, b?: any) => a, { name: 'ua1' })(undefined))
await t('null arg', async () => observe((a?: any, b?: any) => a, { name: 'na' })(null))
await t('fn arg', async () => observe((a?: any, b?: any) => 1, { name: 'fa' })(() => 1, Symbol('q')))
